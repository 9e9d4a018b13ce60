#!/usr/bin/env bash
# object.sh -- what the built shared objects export, import and keep in writable memory: no number passes through printf
# or strtod, which follow the locale; nothing exits or jumps; they stay loaded until the last finalizer. What it has
# caught: strcspn (e4dda272), snprintf (3e42b8af), the object was unloaded too early (47ea25ec).
. "$(dirname "$0")/support/lib.sh"

if ! command -v nm >/dev/null 2>&1; then skipped "shared objects" "not installed: nm"; exit 0; fi
seen=
for r in lua5.1 lua5.2 lua5.3 lua5.4 lua5.5 luajit; do
  so=build/$r/fleece.so
  [ -f "$so" ] || continue
  seen=yes
  case $(uname -s) in Darwin) dynamic="nm -gU" ;; *) dynamic="nm -D --defined-only" ;; esac
  wrong=$($dynamic "$so" | awk '{sub(/^_/, "", $3); print $3}' | grep -vxE 'luaopen_fleece(_cjson)?(_safe)?|luaopen_fleece_(dkjson|rxi|rapidjson|luajson|json4lua|program)|_init|_fini|_edata|_end|__bss_start')
  verdict "$r exports luaopen_fleece... alone" "$wrong"
  missing=
  for name in luaopen_fleece luaopen_fleece_safe luaopen_fleece_cjson luaopen_fleece_cjson_safe \
    luaopen_fleece_dkjson luaopen_fleece_rxi luaopen_fleece_rapidjson luaopen_fleece_luajson luaopen_fleece_json4lua luaopen_fleece_program; do
    $dynamic "$so" | grep -qE "[ _]$name\$" || missing="$missing$name is not exported"$'\n'
  done
  verdict "$r exports what it must" "${missing%$'\n'}"

  # Memory comes from Lua's allocator, output goes to Lua: of the C library only plain memory work and the
  # file functions that write, decode_file, documents and open_file need. malloc serves the private state that proves a
  # layout; the dl functions keep the object in the process. A file that is replaced (replace.h) needs the names, the
  # modes and the links of files, and a name for the new one from the system's random numbers, or at least the time. One
  # that is appended to is read without a buffer, and cut where a writer was killed; a lock (lock.c) may be waited for.
  # fleece.program, which bin/fleece alone opens, is told of signals, ends when a mapped file is shortened, and looks
  # after the standard streams.
  memory='luaL?_[a-z]+_?|mem(cpy|move|set|cmp|chr)|strlen|strcmp|strncmp|strchr|strstr|getenv|malloc|free|realloc|calloc'
  files='f(write|error|ileno|lush|open|close|read|seek|tell|stat)|open|close|mmap|munmap|madvise|mremap|pwrite|sync_file_range|sysconf|dladdr|dlopen|dlclose'
  replacing='access|fdopen|fflush|fsync|fch(mod|own)|l?stat|readlink|realpath|rename|unlink|read|time|clock'
  locking='flock|lseek|write|nanosleep|ftruncate|setvbuf|clearerr'
  program='sigaction|sigfillset|raise|_exit|write|fcntl|dup|isatty'
  wrong=$(nm -D --undefined-only "$so" 2>/dev/null | awk '{print $NF}' | sed 's/@.*//' | grep -vxE \
    "$memory|$files|$replacing|$locking|$program"'|_?_?(IO_)?getc|(__)?(errno_location|strerror)|__stack_chk_fail|__(memcpy|memmove|memset|read|realpath|readlink)_chk|_ITM_(de)?registerTMCloneTable|__gmon_start__|__cxa_finalize|__(cpu_model|cpu_indicator_init|getauxval)|getauxval|__x86_get_cpuid_feature_leaf')
  verdict "$r needs nothing of the C library but memory and files" "$wrong"

  # No mutable statics: several states in several threads share one object. Constants that hold addresses lie
  # in .data.rel.ro, which is read-only once they are filled in. One is allowed, of the program alone: a signal handler
  # is the process's, and finds the unfinished files of the program by nothing else (program/program.c). It must be there.
  if command -v objdump >/dev/null 2>&1; then
    wrong=$(objdump -t "$so" | awk '$2 == "O" || $3 == "O" {print $(NF-2), $NF}' | grep -E '^\.(data|bss|tdata|tbss) ' |
      awk '{print $2}' | grep -vxE 'completed\.[0-9]+|__dso_handle|__TMC_END__')
    only=program_unfinished
    verdict "$r keeps no writable statics, but one of the program's" "$([ "$wrong" = $only ] || echo "${wrong:-no $only}")"
  else
    skipped "$r keeps no writable statics, but one of the program's" "not installed: objdump"
  fi
done
verdict "program_unfinished is spoken of by program/program.c alone" \
  "$(grep -rl program_unfinished src | grep -v '^src/program/program\.c$')"
[ -n "$seen" ] || skipped "shared objects" "not installed: none is built"

# A program ends: the finalizer of a value that is older than the module may still use it. The package library of Lua 5.1
# and LuaJIT has unloaded its objects by then; ours must have stayed.
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
cat >"$tmp/close.lua" <<'LUA'
local function last()
  local f = require "fleece"
  local text = f.encode { 1, { 2, ("x"):rep(100) } }
  local bytes = f.pack(f.decode(text))
  io.write(f.to_json(bytes) == text and f.encode(f.unpack(bytes)) == text and "saved" or "wrong")
end
local old = newproxy and newproxy(true) or setmetatable({}, { __gc = last })
getmetatable(old).__gc = last
require "fleece"
keep = old
LUA
for r in lua5.1 lua5.2 lua5.3 lua5.4 lua5.5 luajit; do
  [ -f "build/$r/fleece.so" ] || continue
  lua=$(tools/where.sh lua "$r") || { skipped "$r: a finalizer at the end" "not installed: no interpreter"; continue; }
  said=$(LUA_CPATH="build/$r/?.so" "$lua" "$tmp/close.lua" 2>&1); code=$?
  [ "$code:$said" = 0:saved ] && wrong='' || wrong="exit code $code: $said"
  verdict "$r: a finalizer at the end" "$wrong"
done
