# The targets of the Makefile of 2011: each runs the corresponding target of today and prints its name. Included by
# Makefile. Also the table that was published with the binary format, with figures measured here.
#   RUNTIME   which Lua (lua5.4)

OLD_LUA = $(or $(RUNTIME),lua5.4)
# $1 is the new name, $2, if given, the difference.
renamed = @echo "make $@: today '$1'$(if $2,; $2)"
again   = +@$(AGAIN)

# In 2011 the module was src/fleece.so; today it is build/RUNTIME/fleece.so, for each Lua.
OLD_PLATFORMS = linux linux-asm linux-64 linux-64-asm macosx macosx-asm macosx-old
$(OLD_PLATFORMS):
	$(call renamed,make,the system and the CPU are found; the module is build/RUNTIME/fleece.so)
	$(again) RUNTIME=$(RUNTIME) all

# In 2011 LuaJSON was bundled for comparison.
OLD_LUAJSON = linux-test linux-64-test macosx-test macosx-old-test
$(OLD_LUAJSON) test3 test-json4 test-luajson:
	$(call renamed,make bench,which measures every other library that is installed and compares its results)
	@echo "Nothing is bundled: tools/install.sh bench installs those that the system has (bench/README.md)."

# One file of tests each.
OLD_TESTS = test2:test_random complex-unit-test:test_deep basic-unit-test:test_values \
  parameter-unit-test:test_arguments escape-unit-test:test_flags
define old_test
$(firstword $1):
	$$(call renamed,make test ONLY=$(lastword $1))
	$$(again) RUNTIME=$(OLD_LUA) ONLY=$(lastword $1) test
endef
$(foreach t,$(OLD_TESTS),$(eval $(call old_test,$(subst :, ,$t))))
unit-test unit-tests:
	$(call renamed,make test)
	$(again) RUNTIME=$(OLD_LUA) test
test-5m test-5M:
	$(call renamed,make test ONLY=test_random FLEECE_TEST_ROUNDS=200)
	$(again) RUNTIME=$(OLD_LUA) FLEECE_TEST_ROUNDS=$(or $(FLEECE_TEST_ROUNDS),200) ONLY=test_random test
test-nonstop:
	$(call renamed,make test ONLY=test_random,again and again; or 'make fuzz FUZZ_SECONDS=N')
	@while $(AGAIN) RUNTIME=$(OLD_LUA) ONLY=test_random test; do :; done

# The four tables of 2011; bench7 also has words with escapes. -1k and -10k were for imprecise clocks.
ORIGINAL = integers,keys,words,word-keys
ESCAPES  = escapes-10,escapes-30,escapes-100,escapes-1000
OLD_BENCHES = bench2 bench2-1k bench3 bench3-1k bench3a bench3b bench4 bench5 bench5a bench5b bench6a bench7 bench7-1k \
  bench7a bench7c bench-10k
RIVALS_OF_2 = fleece,json4lua
RIVALS_OF_3 = fleece,json4lua,luajson
RIVALS_OF_4 = fleece,json4lua,luajson,yajl
RIVALS_OF_5 = $(RIVALS_OF_3)
RIVALS_OF_6 = fleece
RIVALS_OF_7 = $(RIVALS_OF_3)
RIVALS_OF_- = fleece
RIVALS_bench3a = fleece
RIVALS_bench3b = json4lua,luajson
RIVALS_bench5a = fleece
RIVALS_bench5b = json4lua,luajson
RIVALS_bench7a = fleece
RIVALS_bench7c = fleece,luajson
old_number  = $(firstword $(foreach n,2 3 4 5 6 7 -,$(if $(filter bench$n%,$@),$n)))
old_rivals  = $(or $(RIVALS_$@),$(RIVALS_OF_$(old_number)))
# bench5 was a long run, the others are quick.
old_options = --encode $(if $(filter bench5%,$@),,--quick )--only $(if $(filter bench7%,$@),$(ESCAPES),$(ORIGINAL)) \
  --rivals $(old_rivals)
$(OLD_BENCHES):
	$(call renamed,bench/run.sh $(old_options),lua-cjson takes part and libraries that are not installed do not)
	@tools/install.sh bench
	$(again) RUNTIME=$(OLD_LUA) all
	@BENCH_RUNTIMES=$(OLD_LUA) bench/run.sh $(old_options)

bench-published: ## measure the published table of the binary format, update docs/binary.md (RUNTIME=lua5.4)
	@tools/install.sh bench
	$(again) RUNTIME=$(OLD_LUA) all
	@mkdir -p build/bench && $(CC) -std=gnu99 -O2 -Isrc -o build/bench/lookup_time bench/c/lookup_time.c
	@LUA_CPATH="build/$(OLD_LUA)/?.so;;" "$$(tools/where.sh lua $(OLD_LUA))" bench/binary/published.lua \
	  --lookup build/bench/lookup_time $(or $(PUBLISHED),docs/binary.md)
	@sed -n '/published: begin/,/published: end/p' $(or $(PUBLISHED),docs/binary.md)

.PHONY: $(OLD_PLATFORMS) $(OLD_LUAJSON) test3 test-json4 test-luajson unit-test unit-tests test-5m test-5M test-nonstop \
  $(foreach t,$(OLD_TESTS),$(firstword $(subst :, ,$t))) $(OLD_BENCHES) bench-published
