# dh-lua.mk -- what the modules of all Lua versions have in common; see /usr/share/doc/dh-lua.
PKG_NAME=fleece
CLIB_CFLAGS=-std=gnu99 -DNDEBUG -Isrc
CLIB_OBJS=src/fleece.lo
LUA_SOURCES=$(sort $(wildcard compat/*.lua compat/*/*.lua compat/*/*/*.lua compat/*/*/*/*.lua lua/fleece/*.lua lua/fleece/*/*.lua))
LUA_SOURCES_MANGLER=sed -e s,^compat,fleece/compat, -e s,^lua/,,
LUA_TEST=debian/tests/load.lua
