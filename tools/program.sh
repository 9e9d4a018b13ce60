#!/usr/bin/env bash
# program.sh -- installs the program fleece, its manual page and its completions, or removes them.
#
#   tools/program.sh install VERSIONS    the versions of Lua (5.1 5.4 ...) that the module was installed for; the program
#                                        is run by one of them, by 5.4 if possible. One that is there and runs in a newer
#                                        Lua with integers (5.3 and later) stays, because numbers keep their digits there
#   tools/program.sh uninstall
#
# In the environment: DESTDIR, PREFIX, BINDIR, MANDIR, DATADIR, and LIBDIR, LUADIR as patterns with 5.x for the version.
set -eu
cd "$(dirname "$0")/.."
bash_file=$DESTDIR$DATADIR/bash-completion/completions/fleece
zsh_file=$DESTDIR$DATADIR/zsh/site-functions/_fleece
fish_file=$DESTDIR$DATADIR/fish/vendor_completions.d/fleece.fish
program=$DESTDIR$BINDIR/fleece page=$DESTDIR$MANDIR/man1/fleece.1

if [ "$1" = uninstall ]; then
  rm -fv "$program" "$page" "$bash_file" "$zsh_file" "$fish_file"
  for f in "$bash_file" "$zsh_file" "$fish_file"; do rmdir "${f%/*}" "${f%/*/*}" 2>/dev/null || :; done
  exit 0
fi

# The system's interpreter of version $1; those in build/ are not installed.
interpreter() {
  local name
  for name in "lua$1" "lua${1/./}" "lua-$1" $([ "$1" = 5.1 ] && echo luajit) lua; do
    command -v "$name" >/dev/null 2>&1 || continue
    tools/where.sh is "lua$1" "$name" || { [ "$1" = 5.1 ] && tools/where.sh is luajit "$name"; } || continue
    echo "$name"
    return
  done
  return 1
}

shift
version='' lua=''
for v in 5.4 5.3 5.5 5.2 5.1; do
  case " $* " in *" $v "*) ;; *) continue ;; esac
  version=${version:-$v}
  lua=$(interpreter "$v") && { version=$v; break; }
done
[ -n "$version" ] || exit 0
for v in 5.5 5.4 5.3; do
  [[ " $* " != *" $v "* && $version < $v && $(head -n 1 "$program" 2>/dev/null) == "#!/usr/bin/env $(interpreter "$v")" ]] || continue
  [ -f "$DESTDIR${LIBDIR/5.x/$v}/fleece.so" ] || continue
  echo "$program stays for Lua $v, which has integers of 64 bits"
  exit 0
done
runs=$lua lua=${lua:-lua$version}

mkdir -p "$(dirname "$program")" "$(dirname "$page")"
{
  echo "#!/usr/bin/env $lua"
  echo "package.path = [[${LUADIR/5.x/$version}/?.lua;]] .. package.path"
  echo "package.cpath = [[${LIBDIR/5.x/$version}/?.so;]] .. package.cpath"
  sed 1d bin/fleece
} >"$program.new"
chmod 755 "$program.new"
mv -f "$program.new" "$program"
echo "$program"
cp man/fleece.1 "$page"
echo "$page"

# The program writes its own completions, if it runs here.
missing=
for shell in bash zsh fish; do
  file=${shell}_file file=${!file}
  mkdir -p "$(dirname "$file")"
  if [ -n "$runs" ] && LUA_PATH="lua/?.lua;;" LUA_CPATH="$DESTDIR${LIBDIR/5.x/$version}/?.so;;" "$lua" bin/fleece completion $shell </dev/null >"$file" 2>/dev/null
  then echo "$file"
  else rm -f "$file"; missing="$missing${missing:+, }$shell"
  fi
done
[ -z "$missing" ] || echo "no completion for $missing: fleece does not run here"
