#!/usr/bin/env bash
# run.sh -- loads the module into Luas it was not compiled for; prints TAP.
#
# build/runtimes/LIST names every available Lua and what the module must do there: raw (a layout is proven), api (none
# is, so the public API is used), refuse (it does not load). If it loads, both walks must give the same results. Both
# builds for the 5.1 interface are loaded into every Lua with that interface, PUC or LuaJIT; builds for other interfaces
# must be refused. Then mutants.sh runs, unless MUTANTS=0.
set -u
cd "$(dirname "$0")/../.." || exit 1
list=build/runtimes/LIST
unset LUA_PATH LUA_INIT FLEECE_LAYOUT
for v in 5_2 5_3 5_4 5_5; do unset LUA_PATH_$v LUA_CPATH_$v LUA_INIT_$v; done

if [ ! -f $list ]; then
  echo "ok - the module in other Luas # SKIP not installed: no Luas were built: make runtimes-all"
else
  while read -r name lua version want; do
    case $name in ''|'#'*) continue ;; esac
    case $name in luajit*) layout=luajit ;; *) layout=lua$version ;; esac
    for place in "build/runtimes/$name/bin/$name" "build/runtimes/$name/bin/lua"; do # the tree may have moved
      [ -x "$lua" ] || lua=$place
    done
    for build in lua5.1 lua5.2 lua5.3 lua5.4 lua5.5 luajit; do
      [ -f build/$build/fleece.so ] || continue
      case $version:$build in
        5.1:luajit|"${build#lua}:$build") expect=$want ;;
        *) expect=refuse ;;
      esac
      title="the build for $build in $name: $expect"
      if ! "$lua" -v >/dev/null 2>&1; then echo "ok - $title # SKIP this system: $lua does not run"; continue; fi
      said=$(LUA_CPATH="$PWD/build/$build/?.so" "$lua" tests/mismatch/load.lua "$expect" "$layout" 2>&1)
      code=$?
      if [ $code = 0 ] && [ "${said##*$'\n'}" = "done" ]; then echo "ok - $title"
      else
        echo "not ok - $title"
        printf '%s\nexit code %s\n' "$said" $code | sed 's/^/#   /'
      fi
    done
  done <$list
fi

[ "${MUTANTS:-1}" = 0 ] || bash tests/mismatch/mutants.sh
