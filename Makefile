# Fleece. `make help` lists the commands; start with `make demo` and `make test`.
#
# The source file src/fleece.c is compiled to build/RUNTIME/fleece.so for every Lua whose headers are found:
RUNTIMES = lua5.1 lua5.2 lua5.3 lua5.4 lua5.5 luajit
#
# For packagers and LuaRocks: if any of these variables is set, make builds one plain ./fleece.so:
#   as lua-cjson's Makefile:  LUA_VERSION TARGET PREFIX CFLAGS LUA_INCLUDE_DIR LUA_CMODULE_DIR LUA_MODULE_DIR
#   as LuaRocks passes them:  CC CFLAGS LIBFLAG LUA_INCDIR INST_LIBDIR INST_LUADIR INST_PREFIX
# DESTDIR is put before every path that `make install` writes.
#
# FLEECE_DROPINS="cjson dkjson" includes only these drop-in modules, FLEECE_DROPINS=none includes none; default: all.
# FLEECE_PARTS="core query" includes only these parts: core, document, query, schema, program; default: all.

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
SHELL := /bin/sh

CFLAGS  ?= -O2 -Wall -Wextra
PREFIX  ?= /usr/local
DESTDIR ?=
ifeq ($(shell uname -s),Darwin)
LIBFLAG ?= -bundle -undefined dynamic_lookup
else
LIBFLAG ?= -shared
endif
COMPILE = $(CC) -std=gnu99 $(CPPFLAGS) $(CFLAGS) $(DROPINS_FLAG) $(PARTS_FLAG) -fPIC -Isrc
SOURCES := $(wildcard $(foreach d,src src/* src/*/* src/*/*/*,$d/*.[ch]))
SANITIZE = -g -O1 -fno-omit-frame-pointer -fsanitize=address -fsanitize=undefined -fno-sanitize-recover=undefined

# The inner make runs in parallel, unless the caller has given -j.
AGAIN = $(MAKE) --no-print-directory $(if $(findstring j,$(firstword -$(MAKEFLAGS))),,-j$(shell getconf _NPROCESSORS_ONLN))

# The drop-in modules and the parts to include: names separated by spaces or + (src/dropin/list.h and src/lua/parts.h need
# +). build/choice records what was chosen; another choice rebuilds the objects.
empty :=
DROPINS      := $(strip $(subst +, ,$(FLEECE_DROPINS)))
DROPINS_FLAG := $(if $(DROPINS),-DFLEECE_DROPINS=$(subst $(empty) ,+,$(DROPINS)))
DROPINS_BAD  := $(filter-out none luajson json4lua $(filter-out shared,$(patsubst src/dropin/%/,%,$(wildcard src/dropin/*/))),$(DROPINS))
ifneq ($(DROPINS_BAD),)
$(error FLEECE_DROPINS: there is no stand-in $(DROPINS_BAD))
endif
CHOSEN     := $(strip $(subst +, ,$(FLEECE_PARTS)))
PARTS_FLAG := $(if $(CHOSEN),-DFLEECE_PARTS=$(subst $(empty) ,+,$(CHOSEN)))
PARTS_BAD  := $(filter-out core document query schema program,$(CHOSEN))
ifneq ($(PARTS_BAD),)
$(error FLEECE_PARTS: there is no part $(PARTS_BAD))
endif
ifneq ($(if $(CHOSEN),$(filter core,$(CHOSEN)),core),core)
$(error FLEECE_PARTS: all builds have core)
endif

# The runtimes to build for: the requested one, or all whose headers are found. Not searched by commands that build
# nothing.
ifneq ($(RUNTIME),)
WANTED := $(RUNTIME)
else
WANTED = $(RUNTIMES)
endif
QUIET_GOALS := help clean dist single site site-test install uninstall install-lib uninstall-lib lint fuzz compare times test-rest test-hosts test-all
ifneq ($(filter-out $(QUIET_GOALS),$(or $(MAKECMDGOALS),all)),)
$(foreach r,$(WANTED),$(eval INC_$r := $(shell tools/where.sh include $r)))
endif
# Not compared for these goals, because `make install` is often given fewer variables than `make`.
ifneq ($(filter-out $(QUIET_GOALS),$(or $(MAKECMDGOALS),all))$(DROPINS)$(CHOSEN),)
CHOICE := $(strip $(DROPINS) $(CHOSEN:%=part:%))
ifneq ($(shell cat build/choice 2>/dev/null),$(CHOICE))
$(shell mkdir -p build && echo "$(CHOICE)" >build/choice)
endif
endif
CHOICE_MADE := $(wildcard build/choice)
FOUND  = $(foreach r,$(WANTED),$(if $(INC_$r),$r))
BUILT  = $(FOUND:%=build/%/fleece.so)

# One plain object, whose name and place the caller determines.
GIVEN := $(strip $(LUA_VERSION) $(TARGET) $(LUA_INCLUDE_DIR) $(LUA_INCDIR) $(LUA_CMODULE_DIR) $(INST_LIBDIR))
ifneq ($(GIVEN),)
ONE     := $(or $(TARGET),fleece.so)
VERSION := $(or $(LUA_VERSION),5.1)
ONE_INC := $(or $(LUA_INCDIR),$(LUA_INCLUDE_DIR),$(shell tools/where.sh include lua$(VERSION)))
# MADE_FOR records for which Lua the object was built, so that it is built again for another Lua. Only variables that
# are set are compared, because `make install` is often given fewer than `make`. CFLAGS are not compared, because
# LuaRocks passes them only to `make`.
MADE_FOR := build/made-for/$(subst /,_,$(ONE))
SAID     := $(LUA_VERSION:%=version=%) $(patsubst %,include=%,$(or $(LUA_INCDIR),$(LUA_INCLUDE_DIR)))
ANOTHER  := $(if $(filter-out $(shell cat $(MADE_FOR) 2>/dev/null),$(SAID)),another-lua)
endif
# The folders for an object for Lua version $1, and for modules written in Lua.
libdir = $(or $(INST_LIBDIR),$(LUA_CMODULE_DIR),$(PREFIX)/lib/lua/$1)
luadir = $(or $(INST_LUADIR),$(LUA_MODULE_DIR),$(PREFIX)/share/lua/$1)
LUA_MODULES := $(patsubst lua/%,%,$(wildcard lua/fleece/*.lua lua/fleece/*/*.lua))
# Drop-in files for other libraries are installed in a separate folder, which is used only if LUA_PATH names it.
COMPAT := $(wildcard compat/*.lua compat/*/*.lua compat/*/*/*.lua compat/*/*/*/*.lua)

##: building
all: ## build build/RUNTIME/fleece.so for every Lua found (RUNTIME=lua5.4 for one)
ifneq ($(GIVEN),)
all: $(ONE)
else
all:
	@$(if $(BUILT),$(AGAIN) $(BUILT),echo "no Lua headers found for: $(WANTED). 'tools/install.sh build' installs the system's," \
	  "'make runtimes' builds our own." >&2; exit 1)
endif

# The units of src/parts are compiled side by side, so that none needs much time or memory; those that know no Lua are
# compiled once for all, and raw once for Lua 5.1 and LuaJIT, whose layouts it has both. The C tests link fleece.o, so
# the library is compiled once for them and the module. The compiler writes the dependencies of each object.
# What it says is kept: tests/check/headers.sh looks for warnings of the optimizer.
PARTS = core dropin $(filter-out core,$(or $(CHOSEN),document query schema program))
UNITS = $(patsubst core,encode decode core,$(patsubst document,pack document,$(PARTS)))
WITHOUT_LUA = text json index binary files $(patsubst document_engine,convert,$(patsubst %,%_engine,$(filter document query schema,$(PARTS))))
ROOMS_LEFT_OUT = $(patsubst %,src/%/%,$(filter-out $(PARTS:query=query patch values),document query patch values schema program))
object = @mkdir -p $(@D); echo "  compile $@"; \
  $(COMPILE) -Werror=implicit-function-declaration -ffunction-sections -fdata-sections -DFLEECE_APART $1 -MMD -MT $@ -MF $@.d -c -o $@.new src/parts/$(basename $(@F)).c \
  2>$@.said; code=$$?; cat $@.said >&2; [ $$code = 0 ] && mv $@.new $@
module = @echo "  link    $@"; $(CC) $(CFLAGS) $1 $(LIBFLAG) $(DROP_UNUSED) $(LDFLAGS) -o $@.new $(filter %.o,$^) && mv $@.new $@
comma := ,
DROP_UNUSED := -Wl$(comma)$(if $(filter Darwin,$(shell uname -s)),-dead_strip,--gc-sections)
# parts FOLDER FLAGS
define parts
$(WITHOUT_LUA:%=$1/%.o): $1/%.o: src/parts/%.c
	$$(call object,$2)
$(foreach u,$(UNITS),$(RUNTIMES:%=$1/%/$u.o)): $(UNITS:%=src/parts/%.c) $(CHOICE_MADE)
	$$(call object,$2 -I$$(INC_$$(notdir $$(@D))))
$(RUNTIMES:%=$1/%/raw.o): $1/%/raw.o: src/parts/raw.c
	$$(call object,$2 -DFLEECE_LUA_VERSION=$$(subst .,0,$$(*:lua%=%)))
$(foreach r,$(RUNTIMES),$1/$r/fleece.o $1/$r/fleece.so: $1/$(r:luajit=lua5.1)/raw.o
)
$(RUNTIMES:%=$1/%/fleece.o): $1/%/fleece.o: $(WITHOUT_LUA:%=$1/%.o) $(addprefix $1/%/,$(UNITS:=.o))
	@echo "  link    $$@"; $$(CC) -r -nostdlib -o $$@ $$(filter %.o,$$^)
$(RUNTIMES:%=$1/%/fleece.so): $1/%/fleece.so: $(WITHOUT_LUA:%=$1/%.o) $(addprefix $1/%/,$(UNITS:=.o))
	$$(call module,$3)
endef
$(eval $(call parts,build,-DNDEBUG))
# For development each file is compiled by itself, so that an edit costs what depends on it; then all are one object again.
APART := $(filter-out src/fleece.c src/library.c src/library_lua.c src/capi/% src/parts/% $(ROOMS_LEFT_OUT),$(filter %.c,$(SOURCES)))
define apart
build/dev/$1/apart/%.o: src/%.c $(CHOICE_MADE)
	@mkdir -p $$(@D); echo "  compile $$@"
	@$(CC) -std=gnu99 $(CPPFLAGS) $(CFLAGS) $(DROPINS_FLAG) $(PARTS_FLAG) -fPIC -Isrc -O0 -g -Werror=implicit-function-declaration -DFLEECE_ASSERT -DFLEECE_APART -DFLEECE_LUA_VERSION=$(subst .,0,$(patsubst lua%,%,$(1:luajit=5.1))) -I$(INC_$1) -MMD -MF $$@.d -c -o $$@ $$<
build/dev/$1/fleece.o: $(APART:src/%.c=build/dev/$1/apart/%.o)
	@echo "  link    $$@"; $(CC) -r -nostdlib -o $$@ $$(filter %.o,$$^)
endef
$(foreach r,$(FOUND),$(eval $(call apart,$r)))
$(eval $(call parts,build/asan,$(SANITIZE) -DFLEECE_ASSERT,$(SANITIZE)))
$(eval $(call parts,build/tsan,-g -O1 -fsanitize=thread))
$(eval $(call parts,build/valgrind,-g -O1 -DFLEECE_ASSERT -DFLEECE_STRICT_READS=1))
$(RUNTIMES:%=build/dev/%/fleece.so): %.so: %.o
	$(call module,)
-include $(wildcard build/*.o.d build/*/*.o.d build/*/*/*.o.d) $(shell find build/dev -name '*.o.d' 2>/dev/null)
# Nothing makes these but the compiler; and a header that was moved since does not stop the build.
build/%.d: ;
src/%.h src/%.c: ;
ifneq ($(ONE),)
.PHONY: another-lua
$(ONE): $(SOURCES) $(ANOTHER) $(CHOICE_MADE)
	@mkdir -p $(dir $(MADE_FOR))
	$(COMPILE) -DNDEBUG $(if $(ONE_INC),-I$(ONE_INC)) -c -o $(MADE_FOR).o src/fleece.c
	$(CC) $(CFLAGS) $(LIBFLAG) $(LDFLAGS) -o $@ $(MADE_FOR).o
	@echo version=$(VERSION) include=$(ONE_INC) >$(MADE_FOR)
endif

asan-build tsan-build valgrind-build: %-build:
	@$(AGAIN) $(FOUND:%=build/$*/%/fleece.so)

runtimes: ## build the Luas that this system does not have into build/runtimes (RUNTIME=lua5.5 for one)
	@tools/install.sh runtimes
	@tools/runtimes.sh $(if $(RUNTIME),$(RUNTIME),standard)
runtimes-all: ## also build the unusual Luas for the mismatch tests
	@tools/install.sh runtimes
	@tools/runtimes.sh standard odd

##: working on the code
dev: ## build a development object with debug information and assertions, build/dev/RUNTIME/fleece.so
	@$(AGAIN) -s $(DEV:%=build/dev/%/fleece.so) compile_commands.json
syntax: ## check that the code compiles without warnings (RUNTIME=lua5.4 for one Lua)
	@for r in $(DEV); do $(CC) -std=gnu99 -Wall -Wextra -Wshadow -Wconversion $(DROPINS_FLAG) -Isrc -I$$(tools/where.sh include $$r) \
	  -fsyntax-only src/fleece.c || exit 1; done
room: ## build and test one folder of src/ alone: make room ROOM=json
	@$(if $(and $(ROOM),$(wildcard src/$(ROOM)/*)),,echo "ROOM must be one of: $(notdir $(patsubst %/,%,$(wildcard src/*/)))" >&2; exit 1)
	@$(if $(filter-out base number text json binary,$(ROOM)),$(AGAIN) -s $(DEV:%=build/dev/%/fleece.so))
	@tests/run.py --mode dev --runtime $(DEV) $(if $(LAYOUT),--layout $(LAYOUT)) --room $(ROOM)
# Editors read it to know how each file is compiled.
compile_commands.json: $(SOURCES) $(wildcard tests/c/*/*.c fuzz/*.c) tools/compile_commands.sh
	@tools/compile_commands.sh $(firstword $(DEV)) >$@.new && mv $@.new $@
# One Lua is enough during development.
DEV = $(or $(RUNTIME),lua5.4)
check: ## run only the automatic checks of the sources (most need no Lua)
	@tests/run.py check/
lint: ## run clang-format, clang-tidy and shellcheck, as far as installed
	@tools/lint.sh

##: trying and testing
demo: ## install what is missing, build, encode and decode a real document, compare with lua-cjson
	@tools/install.sh demo
	@$(AGAIN) RUNTIME=lua5.4 all
	@LUA_CPATH="build/lua5.4/?.so;;" LUA_PATH="lua/?.lua;;" "$$(tools/where.sh lua lua5.4)" bench/demo.lua
# The selection by ONLY, RUNTIME, LAYOUT and BUILD. A single file is tested in one Lua with the development object.
BUILD = $(if $(ONLY),dev,plain)
PICK  = $(if $(ONLY),--runtime $(DEV),$(if $(RUNTIME),--runtime $(RUNTIME))) $(if $(LAYOUT),--layout $(LAYOUT)) $(ONLY)
test: ## run all deterministic tests in all six Luas (ONLY=test_decode for one file; RUNTIME, LAYOUT=raw|api, BUILD=dev|plain)
ifeq ($(ONLY),)
	@echo "make test: installs what the tests need, builds Lua 5.5 and the module for six Luas, and runs the"
	@echo "deterministic tests in each, with and without the raw layout. How long that takes: CONTRIBUTING.md."
	@tools/install.sh test
	@tools/runtimes.sh standard
	@-$(AGAIN) RUNTIME=$(RUNTIME) all
	@tests/run.py --part quick $(PICK); code=$$?; \
	  echo "left to 'make test-all': hosts, other platforms, odd Luas, packages, models, long random runs, lint"; exit $$code
else
	@$(AGAIN) -s $(DEV:%=build/$(if $(filter plain,$(BUILD)),,$(BUILD)/)%/fleece.so)
	@tests/run.py --mode $(BUILD) $(PICK)
endif
test-rest: ## run the tests of test-all that are not in test
	@echo "make test-rest: installs host programs, cross compilers and checkers (600 MB), builds odd Luas, and runs the"
	@echo "tests in them, on other platforms and in hosts, long random tests, and lint. How long: CONTRIBUTING.md."
	@tools/install.sh test-all
	@tools/runtimes.sh standard odd
	@tools/hosts.sh
	@-$(AGAIN) all
	@code=0; tests/run.py --part rest || code=1; tools/lint.sh || code=1; exit $$code
test-all: ## run every test: test, then test-rest
	@code=0; $(MAKE) --no-print-directory test || code=1; $(MAKE) --no-print-directory test-rest || code=1; exit $$code
soak: ## random tests, failing allocations, fuzz targets and emulated CPUs with new seeds, for SOAK_MINUTES=60
	@tools/install.sh soak
	@tools/runtimes.sh standard
	@-$(AGAIN) all
	@tests/run.py --part soak --minutes $(or $(SOAK_MINUTES),60) $(if $(RUNTIME),--runtime $(RUNTIME))
times: ## run the commands of CONTRIBUTING.md's table and write there how long they take
	@tools/times.py $(if $(ONLY),"$(ONLY)")
test-hosts: ## run the tests in programs with large packages (pandoc, LuaTeX, tshark, LÖVE, Conky, Awesome, VLC), which test-all leaves out
	@echo "make test-hosts: downloads Debian's packages of seven programs (125 MB) into build/hosts and runs the tests in them."
	@tools/hosts.sh large
	@-$(AGAIN) build/lua5.2/fleece.so build/lua5.3/fleece.so build/luajit/fleece.so
	@tests/run.py --part hosts
test-platforms: ## run all module tests with musl and on emulated CPUs; `test-all` runs some (arm64 in all Luas; hours)
	@tools/install.sh platforms
	@tools/runtimes.sh odd
	@FLEECE_TEST_PLATFORM=all tests/run.py platform/
asan: ## run the tests with address and undefined-behaviour sanitizers
	@tools/install.sh test
	@tools/runtimes.sh standard luajit-assert
	@$(AGAIN) RUNTIME=$(RUNTIME) asan-build
	@tests/run.py --mode asan $(if $(RUNTIME),--runtime $(RUNTIME)) $(ONLY)
tsan: ## run the thread tests with the thread sanitizer
	@tools/install.sh test
	@tools/runtimes.sh standard
	@$(AGAIN) RUNTIME=$(RUNTIME) tsan-build
	@tests/run.py --mode tsan $(if $(RUNTIME),--runtime $(RUNTIME))
valgrind: ## run the tests with valgrind (slow)
	@tools/install.sh test valgrind
	@tools/runtimes.sh standard luajit-assert
	@$(AGAIN) RUNTIME=$(RUNTIME) valgrind-build
	@tests/run.py --mode valgrind $(if $(RUNTIME),--runtime $(RUNTIME)) $(ONLY)
mutate: ## change the code a little: does a test notice? FILES="src/json/edit src/number/parse.[ch]" MUTANTS=200 SEED=1 JOBS=2
	@tools/install.sh mutate
	@$(AGAIN) -s $(DEV:%=build/dev/%/fleece.so)
	@FILES="$(FILES)" build/parser/bin/python tests/mutate/mutate.py
fuzz: ## run libFuzzer on each fuzz target, FUZZ_SECONDS=60 each or FUZZ_MINUTES=N in all (ONLY=name for one; SAVE=1 records it)
	@tools/install.sh fuzz
	@SAVE=$(SAVE) FUZZ_SECONDS=$(FUZZ_SECONDS) FUZZ_MINUTES=$(FUZZ_MINUTES) tests/run.py --mode fuzz $(ONLY)

##: measuring
bench: ## measure every workload with every library (BENCH_RUNTIMES="lua5.1 lua5.4 luajit")
	@tools/install.sh bench
	@$(AGAIN) all
	@bench/run.sh $(BENCH_ARGS)
bench-quick: ## the same with short samples and libraries in C only
	@tools/install.sh bench
	@$(AGAIN) all
	@bench/run.sh --quick $(BENCH_ARGS)
bench-binary: ## measure the binary format: sizes, conversions, checks, look-ups
	@tools/install.sh bench
	@$(AGAIN) all
	@bench/run.sh --binary $(BENCH_ARGS)
	@lua5.4 bench/frames.lua build/lua5.4
bench-pick: ## measure reading and changing a few fields of a text: pick, edit, lazy, lua-cjson, simdjson
	@tools/install.sh bench
	@$(AGAIN) all
	@bench/run.sh --pick $(BENCH_ARGS)
record: ## run the benchmarks whose tables stand in the documents, and record their results (ONLY=small for one)
	-@$(AGAIN) RUNTIME=lua5.4 all
	-@$(AGAIN) RUNTIME=luajit all
	-@$(AGAIN) RUNTIME=lua5.1 all
	@"$$(tools/where.sh lua lua5.4)" bench/record.lua $(ONLY)
figures: ## put the newest results of the benchmark into README and docs, which check/docs compares
	bench/report/figures.sh

bench-options: ## measure what each option costs, as a multiple of the time without it
	-@$(AGAIN) $(if $(RUNTIME),RUNTIME=$(RUNTIME)) all
	@for r in $(or $(RUNTIME),lua5.1 lua5.4 luajit); do echo; echo "$$r:"; "$$(tools/where.sh lua $$r)" bench/options.lua build/$$r $(BENCH_ARGS) || exit 1; done
bench-languages: ## decode and encode in the languages that are installed: Lua, Node.js, Python, PHP, Ruby, Go
	-@$(AGAIN) RUNTIME=luajit all
	-@$(AGAIN) RUNTIME=lua5.4 all
	@bench/languages/run.py --table $(BENCH_ARGS)
bench-schema: ## measure verdicts by JSON Schemas, of public sets that git fetches, or of SETS="FOLDER ..."
	@tools/install.sh bench
	-@$(AGAIN) RUNTIME=lua5.1 all
	-@$(AGAIN) RUNTIME=lua5.4 all
	-@$(AGAIN) RUNTIME=luajit all
	@bench/schema/run.py $(BENCH_ARGS) $(SETS)
bench-haproxy: ## measure a service in HAProxy with Fleece, lua-cjson and dkjson
	@tools/install.sh bench-haproxy
	@$(AGAIN) all
	@bench/haproxy/run.py $(BENCH_ARGS)

compare: ## compare the speed of the working tree with that of a commit (BASE=HEAD~1 RUNTIME=lua5.4 WORKLOADS="people twitter")
	@CC="$(CC)" CPPFLAGS="$(CPPFLAGS)" CFLAGS="$(CFLAGS)" LDFLAGS="$(LDFLAGS)" bench/compare.py --base "$(or $(BASE),HEAD)" \
	  --runtime $(or $(RUNTIME),lua5.4) $(if $(WORKLOADS),--workloads "$(WORKLOADS)") $(COMPARE_ARGS)

##: installing
# The built objects, as object:version. lua5.1 and luajit use the same directories, and either object works for both.
HERE  = $(foreach r,$(WANTED),$(if $(wildcard build/$r/fleece.so),$r))
PAIRS = $(if $(ONE),$(ONE):$(VERSION),$(foreach r,$(if $(filter lua5.1,$(HERE)),$(filter-out luajit,$(HERE)),$(HERE)),\
  build/$r/fleece.so:$(patsubst lua%,%,$(r:luajit=lua5.1))))
install: $(ONE) ## copy to PREFIX/lib/lua/5.x, PREFIX/bin (LUA_VERSION=5.4 or RUNTIME=lua5.4 for one)
	@$(if $(PAIRS),,echo "nothing is built yet: run 'make' first" >&2; exit 1)
	@set -e; $(foreach p,$(PAIRS),$(call install_one,$(firstword $(subst :, ,$p)),$(lastword $(subst :, ,$p)));)
	@$(if $(NO_PROGRAM),:,$(PROGRAM) tools/program.sh install $(foreach p,$(PAIRS),$(lastword $(subst :, ,$p))))
uninstall: ## remove what install copied
	@set -e; for v in $(if $(ONE),$(VERSION),5.1 5.2 5.3 5.4 5.5); do \
	  rm -fv "$(DESTDIR)$(call libdir,$$v)/$(or $(notdir $(ONE)),fleece.so)"; \
	  lua="$(DESTDIR)$(call luadir,$$v)"; \
	  $(foreach m,$(LUA_MODULES) $(COMPAT:%=fleece/%),rm -fv "$$lua/$m";) \
	  rmdir "$$lua"/fleece/compat/*/*/*/ "$$lua"/fleece/compat/*/*/ "$$lua"/fleece/compat/*/ "$$lua/fleece/compat" "$$lua/fleece/command" "$$lua/fleece/luajson" "$$lua/fleece" 2>/dev/null || :; \
	  for d in "$$lua" "$(DESTDIR)$(call libdir,$$v)"; do rmdir "$$d" "$${d%/*}" 2>/dev/null || :; done; done
	@$(if $(NO_PROGRAM),:,$(PROGRAM) tools/program.sh uninstall)
# The program. It is not installed if only folders for modules are given, as LuaRocks can do.
BINDIR = $(or $(INST_BINDIR),$(PREFIX)/bin)
NO_PROGRAM = $(if $(INST_LIBDIR)$(INST_LUADIR),$(if $(INST_PREFIX),,yes))
PROGRAM = DESTDIR="$(DESTDIR)" BINDIR="$(BINDIR)" MANDIR="$(or $(INST_PREFIX),$(PREFIX))/share/man" \
  DATADIR="$(or $(INST_PREFIX),$(PREFIX))/share" LIBDIR="$(call libdir,5.x)" LUADIR="$(call luadir,5.x)"
# A running host has the object mapped, so the file is replaced, never overwritten.
define install_one
$(foreach m,$(LUA_MODULES),mkdir -p "$(DESTDIR)$(call luadir,$2)/$(dir $m)"; cp lua/$m "$(DESTDIR)$(call luadir,$2)/$m";) \
$(foreach m,$(COMPAT),mkdir -p "$(DESTDIR)$(call luadir,$2)/fleece/$(dir $m)"; cp $m "$(DESTDIR)$(call luadir,$2)/fleece/$m";) \
mkdir -p "$(DESTDIR)$(call libdir,$2)"; cp $1 "$(DESTDIR)$(call libdir,$2)/$(notdir $1).new"; \
mv -f "$(DESTDIR)$(call libdir,$2)/$(notdir $1).new" "$(DESTDIR)$(call libdir,$2)/$(notdir $1)"; \
echo "$(DESTDIR)$(call libdir,$2)/$(notdir $1)"
endef

include tools/library.mk
# An archive for packagers may lack the tests.
-include tests/programs.mk
include tools/make-2011.mk
include tools/site.mk
include tools/release.mk

##: housekeeping
clean: ## remove what was built, except interpreters and their sources
	@rm -rf build/lua5.* build/luajit build/dev build/asan build/tsan build/valgrind build/test build/tests build/fuzz build/lib \
	  build/bench build/compare build/cmake build/dist build/single build/windows build/made-for build/choice build/site fleece.so
distclean: ## remove build/ altogether
	@rm -rf build fleece.so
help: ## this list
	@awk -F ':.*## ' '/^##: /{printf "\n%s\n", substr($$0, 5)} /^[a-z-]+:.*## /{printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: all figures record dev syntax room soak times test-rest test-hosts test-all asan-build tsan-build valgrind-build runtimes runtimes-all demo test test-platforms check asan tsan valgrind mutate fuzz lint bench \
  bench-quick bench-binary bench-pick bench-languages bench-schema bench-haproxy compare install uninstall clean distclean help
