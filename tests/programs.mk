# The test programs in C: build/tests/MODE/VARIANT/NAME of tests/c/NAME.c. tests/run.py asks for those that it runs.
#   MODE     plain, dev, asan, tsan, valgrind: as the objects of the same name
#   VARIANT  simd; swar, without vectors and with asserts; a runtime, for programs that include Lua's headers;
#            replay, for fuzz targets that run through their corpus once
# build/tests/fuzz/NAME is a fuzz target with libFuzzer, by clang.

TEST_FLAGS_plain    = -O1
TEST_FLAGS_dev      = -O0 -g -DFLEECE_ASSERT
TEST_FLAGS_asan     = $(SANITIZE) -DFLEECE_ASSERT
TEST_FLAGS_tsan     = -g -O1 -fsanitize=thread
TEST_FLAGS_valgrind = -g -O1 -DFLEECE_ASSERT -DFLEECE_STRICT_READS=1
TEST_FLAGS_swar     = -DFLEECE_NO_SIMD -DFLEECE_STRICT_READS=1 -DFLEECE_ASSERT
# The headers and the static library of a Lua; looked for once, and only when a program needs them.
LUA_FLAGS = -I$(or $(INC_$1),$(eval INC_$1 := $(shell tools/where.sh include $1))$(INC_$1))
LUA_LIBS  = $(or $(LIB_$1),$(eval LIB_$1 := $(shell tools/where.sh lib $1))$(LIB_$1)) $(if $(filter Linux,$(shell uname -s)),-ldl)
# Programs that talk to the module as Lua does are linked with its object; their opening lines name src/fleece.c.
LINKED_TESTS := $(patsubst tests/c/%.c,%,$(shell grep -lE '^..? .*src/fleece\.c' tests/c/*.c 2>/dev/null | \
  xargs grep -LE 'include.*fleece\.c"' 2>/dev/null))

# test_program MODE VARIANT FLAGS LIBRARIES; a program that names cmocka is linked with it
define test_program
build/tests/$1/$2/%: tests/c/%.c
	@mkdir -p $$(@D)
	$$(CC) -std=gnu99 -Wall -Wextra $$(TEST_FLAGS_$1) $3 -Isrc -MMD -MF $$@.d $$< $$(filter %.o,$$^) -o $$@ \
	  $$(if $$(shell grep -l cmocka $$<),-lcmocka) $4 -lm -lpthread
$$(LINKED_TESTS:%=build/tests/$1/$2/%): build/$(if $(filter plain,$1),,$1/)$2/fleece.o
endef
TEST_MODES = plain dev asan tsan valgrind
$(foreach m,$(TEST_MODES),$(eval $(call test_program,$m,simd)))
$(foreach m,plain dev,$(eval $(call test_program,$m,swar,$(TEST_FLAGS_swar))))
$(foreach m,$(TEST_MODES),$(foreach r,$(RUNTIMES),$(eval $(call test_program,$m,$r,$$(call LUA_FLAGS,$r),$$(call LUA_LIBS,$r)))))
# It has the whole library in it, and gcc 12 sees paths there that are none.
$(foreach r,$(RUNTIMES),build/tests/plain/$r/test_library_lua): CC += -Wno-maybe-uninitialized

# A target that includes Lua's headers runs in one Lua.
fuzz_lua = $(if $(shell grep -lE '^.include +[<"](lua|.*lua_target)' $1),$2)
fuzz_flags = -std=gnu99 -Wall -Wextra -Isrc $(call fuzz_lua,$<,$(call LUA_FLAGS,lua5.4)) -MMD -MF $@.d
fuzz_libs  = $(call fuzz_lua,$<,$(call LUA_LIBS,lua5.4)) -lm -lpthread
define replay_program
build/tests/$1/replay/%: fuzz/%.c fuzz/drive.c
	@mkdir -p $$(@D)
	$$(CC) $$(TEST_FLAGS_$1) $$(fuzz_flags) $$< fuzz/drive.c -o $$@ $$(fuzz_libs)
endef
$(foreach m,$(TEST_MODES),$(eval $(call replay_program,$m)))
build/tests/fuzz/%: fuzz/%.c
	@mkdir -p $(@D)
	clang $(SANITIZE) -fsanitize=fuzzer $(fuzz_flags) $< -o $@ $(fuzz_libs)

-include $(wildcard build/tests/*/*.d build/tests/*/*/*.d)
