# The C library: libfleece, and libfleece-RUNTIME for hosts that embed that Lua. Included by Makefile.
#   LIBDIR INCLUDEDIR   where install-lib puts them (PREFIX/lib, PREFIX/include); DESTDIR is put before both
LIBDIR     ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
LIB_VERSION := $(shell sed -n 's/^.define FLEECE_VERSION "\(.*\)"/\1/p' src/module/version.h)
# The number of the shared objects: programs that were linked with 1.0 run with 1.1 (docs/about/versions.md).
LIB_ABI     := $(firstword $(subst ., ,$(LIB_VERSION)))
HEADERS    := $(wildcard include/*.h)
LIB_NAMES   = fleece $(FOUND:%=fleece-%)
ifeq ($(shell uname -s),Darwin)
LIB_SHARED  = lib$1.$(LIB_ABI).dylib
LIB_LINK    = lib$1.dylib
LIB_FLAGS   = -dynamiclib -undefined dynamic_lookup -install_name $(LIBDIR)/$(call LIB_SHARED,$1)
else
LIB_SHARED  = lib$1.so.$(LIB_ABI)
LIB_LINK    = lib$1.so
LIB_FLAGS   = -shared -Wl,-soname,$(call LIB_SHARED,$1)
endif

##: the C library
LIB_FILES   = $(foreach n,$(LIB_NAMES),build/lib/lib$n.a build/lib/$(call LIB_SHARED,$n))
lib: $(LIB_FILES) ## build build/lib/libfleece, and libfleece-RUNTIME for every Lua found (RUNTIME=none: no Lua)
build/lib/fleece.o: $(SOURCES) $(HEADERS) $(CHOICE_MADE)
	@mkdir -p $(@D); echo "  compile $@"; $(COMPILE) -DNDEBUG -c -o $@.new src/library.c && mv $@.new $@
$(RUNTIMES:%=build/lib/fleece-%.o): build/lib/fleece-%.o: $(SOURCES) $(HEADERS) $(CHOICE_MADE)
	@mkdir -p $(@D); echo "  compile $@"; $(COMPILE) -DNDEBUG -I$(INC_$*) -c -o $@.new src/library_lua.c && mv $@.new $@
build/lib/lib%.a: build/lib/%.o
	@echo "  archive $@"; rm -f $@; $(AR) rcs $@ $<
build/lib/$(call LIB_SHARED,%): build/lib/%.o
	@echo "  link    $@"; $(CC) $(CFLAGS) $(call LIB_FLAGS,$*) $(LDFLAGS) -o $@.new $< && mv $@.new $@ && \
	  ln -sf $(call LIB_SHARED,$*) build/lib/$(call LIB_LINK,$*)
.PRECIOUS: build/lib/%.o

# The libraries that were built; the pkg-config files are written for the place of installation.
LIB_HERE = $(patsubst build/lib/lib%.a,%,$(wildcard build/lib/libfleece*.a))
install-lib: ## copy headers, libraries, pkg-config and CMake files to PREFIX
	@$(if $(LIB_HERE),,echo "nothing is built yet: run 'make lib' first" >&2; exit 1)
	@mkdir -p "$(DESTDIR)$(INCLUDEDIR)" "$(DESTDIR)$(LIBDIR)/pkgconfig" "$(DESTDIR)$(LIBDIR)/cmake/fleece"
	@set -e; for h in $(HEADERS); do cp "$$h" "$(DESTDIR)$(INCLUDEDIR)"; done
	@set -e; $(foreach n,$(LIB_HERE),$(call install_lib,$n);)
	@set -e; for f in fleece-config.cmake fleece-config-version.cmake; do \
	  $(call fill_in,tools/$$f.in,fleece) >"$(DESTDIR)$(LIBDIR)/cmake/fleece/$$f"; done
# fill_in FILE NAME: what CMake's configure_file does, for the library NAME; tools/library.cmake has the same words.
fill_in = sed -e 's|@prefix@|$(PREFIX)|; s|@libdir@|$(LIBDIR)|; s|@includedir@|$(INCLUDEDIR)|; s|@version@|$(LIB_VERSION)|g; s|@name@|$2|g' \
  -e 's|@description@|$(if $(filter fleece,$2),JSON and the Fleece binary format in C,Fleece for C programs that embed $(2:fleece-%=%)$(comma) which they bring themselves)|' \
  -e 's|@requires@|$(if $(filter fleece,$2),,fleece)|' $1
define install_lib
cp build/lib/lib$1.a "$(DESTDIR)$(LIBDIR)"; cp build/lib/$(call LIB_SHARED,$1) "$(DESTDIR)$(LIBDIR)/$(call LIB_SHARED,$1).new"; \
mv -f "$(DESTDIR)$(LIBDIR)/$(call LIB_SHARED,$1).new" "$(DESTDIR)$(LIBDIR)/$(call LIB_SHARED,$1)"; \
ln -sf $(call LIB_SHARED,$1) "$(DESTDIR)$(LIBDIR)/$(call LIB_LINK,$1)"; \
$(call fill_in,tools/fleece.pc.in,$1) >"$(DESTDIR)$(LIBDIR)/pkgconfig/$1.pc"; \
echo "$(DESTDIR)$(LIBDIR)/lib$1.a"
endef
uninstall-lib: ## remove what install-lib copied
	@for n in fleece $(RUNTIMES:%=fleece-%); do \
	  rm -fv "$(DESTDIR)$(LIBDIR)/lib$$n".a "$(DESTDIR)$(LIBDIR)/lib$$n".so* "$(DESTDIR)$(LIBDIR)/lib$$n".*dylib \
	    "$(DESTDIR)$(LIBDIR)/pkgconfig/$$n.pc"; done
	@rm -fv $(patsubst include/%,"$(DESTDIR)$(INCLUDEDIR)/%",$(HEADERS))
	@rm -rfv "$(DESTDIR)$(LIBDIR)/cmake/fleece"
	@rmdir "$(DESTDIR)$(LIBDIR)/pkgconfig" "$(DESTDIR)$(LIBDIR)/cmake" 2>/dev/null || :

.PHONY: lib install-lib uninstall-lib
