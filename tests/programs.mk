# The test programs in C: build/tests/MODE/VARIANT/NAME from tests/c/ROOM/NAME.c. tests/run.py builds those that it runs.
#   MODE     plain, dev, asan, tsan, valgrind: as for the objects
#   VARIANT  simd; swar, without vectors and with asserts; a runtime, for programs that include Lua's headers;
#            replay, for fuzz targets that run their corpus once
# build/tests/fuzz/NAME is a fuzz target with libFuzzer, built by clang.

TEST_FLAGS_plain    = -O1
TEST_FLAGS_dev      = -O0 -g -DFLEECE_ASSERT
TEST_FLAGS_asan     = $(SANITIZE) -DFLEECE_ASSERT
TEST_FLAGS_tsan     = -g -O1 -fsanitize=thread
TEST_FLAGS_valgrind = -g -O1 -DFLEECE_ASSERT -DFLEECE_STRICT_READS=1
TEST_FLAGS_swar     = -DFLEECE_NO_SIMD -DFLEECE_STRICT_READS=1 -DFLEECE_ASSERT
# The headers and the static library of a Lua; searched once, and only if a program needs them.
LUA_FLAGS = -I$(or $(INC_$1),$(eval INC_$1 := $(shell tools/where.sh include $1))$(INC_$1))
LUA_LIBS  = $(or $(LIB_$1),$(eval LIB_$1 := $(shell tools/where.sh lib $1))$(LIB_$1)) $(if $(filter Linux,$(shell uname -s)),-ldl)
# What a program is linked with. Programs that call the module as Lua does are linked with its object; their first lines
# name src/fleece.c. The others call functions of src/ that are in .c files: they are linked with one object of those files
# that do not use Lua, or, for a runtime, of all.
C_SOURCES    := $(wildcard tests/c/*/*.c)
tests_with    = $(basename $(notdir $(shell grep -lE '$1' $(C_SOURCES) /dev/null)))
C_TESTS      := $(basename $(notdir $(C_SOURCES)))
LINKED_TESTS := $(call tests_with,^..? .*src/fleece\.c)
CORE_TESTS   := $(filter-out $(LINKED_TESTS),$(C_TESTS))
LUA_ROOMS    := layout lua encode decode format stream files places document module program dropin capi query/face patch/face schema/face values/tables
KNOWS_LUA    := $(LUA_ROOMS:%=src/%/%)
CODE         := $(filter-out src/fleece.c src/library.c src/library_lua.c src/parts/%,$(filter %.c,$(SOURCES)))
core_code    := $(filter-out $(KNOWS_LUA),$(CODE)) $(filter-out src/capi/lua.c,$(filter src/capi/%,$(CODE))) \
  $(addprefix src/files/,append.c lock.c map.c replace.c) \
  src/format/json_to_json.c $(wildcard src/document/from_json/*.c src/document/to_json/*.c) \
  $(addprefix src/dropin/,shared/fault.c shared/strtod.c cjson/text.c)
lua_code     := $(CODE)
build/tests/core.c build/tests/lua.c: build/tests/%.c: $(CODE) tests/programs.mk
	@mkdir -p $(@D); printf '#define _GNU_SOURCE 1\n' >$@
	@$(if $(findstring lua.c,$@),printf '#include <lua.h>\n#define FLEECE_LUA_VERSION LUA_VERSION_NUM\n' >>$@)
	@printf '#include "%s"\n' $($*_code:src/%=%) >>$@

# Names are unique: the folders need no rules of their own.
vpath %.c $(sort $(dir $(C_SOURCES)))
# A file that has moved is no error; what depends on it is built again.
tests/c/%: ;

# test_program MODE VARIANT FLAGS LIBRARIES; a program that mentions cmocka is linked with it
define test_program
build/tests/$1/$2/%: %.c
	@mkdir -p $$(@D)
	$$(CC) -std=gnu99 -Wall -Wextra $$(TEST_FLAGS_$1) $3 $$(if $$(filter $$*,$(CORE_TESTS)),-DFLEECE_APART) -Isrc -MMD -MF $$@.d \
	  $$< $$(filter %.o,$$^) -o $$@ $$(if $$(shell grep -l cmocka $$<),-lcmocka) $4 -lm -lpthread
$$(LINKED_TESTS:%=build/tests/$1/$2/%): build/$(if $(filter plain,$1),,$1/)$2/fleece.o
$$(CORE_TESTS:%=build/tests/$1/$2/%): build/tests/$1/$2/code.o
build/tests/$1/$2/code.o: build/tests/$(if $(filter $(RUNTIMES),$2),lua,core).c
	@mkdir -p $$(@D)
	$$(CC) -std=gnu99 $$(TEST_FLAGS_$1) $3 $(if $(filter plain,$1),$(if $(filter $(RUNTIMES),$2),-O0)) -DFLEECE_APART -Isrc -MMD -MF $$@.d \
	  -c $$< -o $$@
endef
TEST_MODES = plain dev asan tsan valgrind
$(foreach m,$(TEST_MODES),$(eval $(call test_program,$m,simd)))
$(foreach m,plain dev,$(eval $(call test_program,$m,swar,$(TEST_FLAGS_swar))))
$(foreach m,$(TEST_MODES),$(foreach r,$(RUNTIMES),$(eval $(call test_program,$m,$r,$$(call LUA_FLAGS,$r),$$(call LUA_LIBS,$r)))))

# The fuzz targets. Those in Lua run in one Lua and are linked with its object.
fuzz_lua   = $(if $(shell grep -l lua_target $1),$2)
fuzz_flags = -std=gnu99 -Wall -Wextra -Isrc -DFLEECE_APART $(call fuzz_lua,$<,$(call LUA_FLAGS,lua5.4)) -MMD -MF $@.d
fuzz_libs  = $(call fuzz_lua,$<,$(call LUA_LIBS,lua5.4)) -lm -lpthread
LUA_TARGETS := $(basename $(notdir $(shell grep -l lua_target fuzz/*.c)))
# Also if RUNTIME is another Lua.
INC_lua5.4 ?= $(shell tools/where.sh include lua5.4)
$(if $(RUNTIME),$(if $(filter lua5.4,$(FOUND)),,$(eval $(call apart,lua5.4))))
define replay_program
build/tests/$1/replay/%: fuzz/%.c fuzz/drive.c
	@mkdir -p $$(@D)
	$$(CC) $$(TEST_FLAGS_$1) $$(fuzz_flags) $$< fuzz/drive.c $$(filter %.o,$$^) -o $$@ $$(fuzz_libs)
$(patsubst fuzz/%.c,build/tests/$1/replay/%,$(filter-out $(LUA_TARGETS:%=fuzz/%.c),$(wildcard fuzz/*.c))): build/tests/$1/simd/code.o
$(LUA_TARGETS:%=build/tests/$1/replay/%): build/$(if $(filter plain,$1),,$1/)lua5.4/fleece.o
endef
$(foreach m,$(TEST_MODES),$(eval $(call replay_program,$m)))
# For libFuzzer the units of src/parts are compiled, because their files one by one take longer. Of the stand-ins for
# other libraries only what a target uses is in it.
FUZZ_CC = clang $(SANITIZE) -DFLEECE_ASSERT
build/tests/fuzz/%.o: src/%.c
	@mkdir -p $(@D); echo "  compile $@"
	@$(FUZZ_CC) -fsanitize=fuzzer-no-link -std=gnu99 -Isrc -DFLEECE_APART -DFLEECE_DROPINS=none -DFLEECE_LUA_VERSION=504 $(call LUA_FLAGS,lua5.4) -MMD -MF $@.d -c -o $@ $<
build/tests/fuzz/fleece.a: $(patsubst src/%.c,build/tests/fuzz/%.o,$(wildcard src/parts/*.c) $(filter src/dropin/% src/capi/%,$(core_code)))
	@rm -f $@; ar rcs $@ $^
build/tests/fuzz/%: fuzz/%.c build/tests/fuzz/fleece.a
	$(FUZZ_CC) -fsanitize=fuzzer $(fuzz_flags) $< build/tests/fuzz/fleece.a $(call LUA_LIBS,lua5.4) -o $@ -lm -lpthread

-include $(wildcard build/tests/*/*.d build/tests/*/*/*.d build/tests/fuzz/dropin/*/*.d)
