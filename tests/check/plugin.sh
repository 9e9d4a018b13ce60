#!/usr/bin/env bash
# plugin.sh -- a program whose Lua came with a plugin (dlopen with RTLD_LOCAL, as VLC does): other objects do not see
# Lua's functions. The ways that docs/hosts.md gives must work there, and the message that it quotes must be the one.
# What it has caught: nothing that had worked; it found that such a program cannot load a module (8c211ffe).
. "$(dirname "$0")/support/lib.sh"

tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
cat >"$tmp/host.c" <<'C'
#include <dlfcn.h>
#include <stdio.h>
#define NEED(type, name) __typeof__(type) *name = (__typeof__(type) *)dlsym(lib, #name)
int main(int argc, char **argv) {
  void *lib = argc == 3 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : 0, *L;
  int failed;
  if (!lib) return puts(dlerror()), 2;
  NEED(void *(void), luaL_newstate);
  NEED(void(void *), luaL_openlibs);
  NEED(void(void *), lua_close);
  NEED(int(void *, const char *), luaL_loadstring);
  NEED(int(void *, int, int, int), lua_pcall); /* a macro from 5.2 on */
  NEED(int(void *, int, int, int, size_t, void *), lua_pcallk);
  NEED(const char *(void *, int, size_t *), lua_tolstring);
  L = luaL_newstate();
  luaL_openlibs(L);
  failed = luaL_loadstring(L, argv[2]) || (lua_pcallk ? lua_pcallk(L, 0, 0, 0, 0, 0) : lua_pcall(L, 0, 0, 0));
  if (failed) puts(lua_tolstring(L, -1, 0));
  lua_close(L);
  return failed;
}
C
${CC:-cc} -o "$tmp/host" "$tmp/host.c" -ldl || { verdict "the host compiles" "see above"; exit 1; }
flags=$(sed -n 's/.*make -B RUNTIME=lua5.4 LDFLAGS="\([^"]*\)".*/\1/p' docs/hosts.md)
wrong="the message, LDFLAGS or LD_PRELOAD is not there"
[ -n "$flags" ] && grep -qF 'undefined symbol: lua_checkstack' docs/hosts.md &&
  grep -q 'LD_PRELOAD=liblua5.4.so.0' docs/hosts.md && wrong=
verdict "docs/hosts.md has the message and both ways" "$wrong"
script='local f = require "fleece"; print(f.encode(f.decode "[1,{}]"))'
for r in lua5.1 lua5.2 lua5.3 lua5.4 luajit; do
  [ -f "build/$r/fleece.o" ] && [ -f "build/$r/fleece.so" ] || continue
  name=$r; [ $r = luajit ] && name=luajit-5.1
  file=$(${CC:-cc} -print-file-name="lib$name.so")
  [ -f "$file" ] || { skipped "$r in a plugin" "this system: no shared Lua"; continue; }
  soname=$(basename "$(readlink -f "$file")"); soname=${soname%%.so.*}.so.$(echo "${soname#*.so.}" | cut -d. -f1)
  run() { LUA_CPATH=$1 "$tmp/host" "$soname" "$script" 2>&1; }

  said=$(run "build/$r/?.so")
  case $said in *"undefined symbol: lua"*) wrong='' ;; *) wrong=$said ;; esac
  verdict "$r: a Lua that only its plugin sees is not found, so this test can tell" "$wrong"
  said=$(LD_PRELOAD=$soname run "build/$r/?.so")
  [ "$said" = '[1,{}]' ] && wrong='' || wrong=$said
  verdict "$r: LD_PRELOAD of its Lua" "$wrong"
  # shellcheck disable=SC2086
  said=$(${CC:-cc} -shared ${flags//lua5.4/$name} -o "$tmp/fleece.so" "build/$r/fleece.o" 2>&1 && run "$tmp/?.so")
  [ "$said" = '[1,{}]' ] && wrong='' || wrong=$said
  verdict "$r: a module that is linked against its Lua" "$wrong"
done
