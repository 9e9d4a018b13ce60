#!/usr/bin/env bash
# object.sh -- what the built shared objects export, import and keep in writable memory.
. "$(dirname "$0")/lib.sh"

if ! command -v nm >/dev/null 2>&1; then skipped "shared objects" "nm is missing"; exit 0; fi
seen=
for r in lua5.1 lua5.2 lua5.3 lua5.4 lua5.5 luajit; do
  so=build/$r/fleece.so
  [ -f "$so" ] || continue
  seen=yes
  case $(uname -s) in Darwin) dynamic="nm -gU" ;; *) dynamic="nm -D --defined-only" ;; esac
  wrong=$($dynamic "$so" | awk '{sub(/^_/, "", $3); print $3}' | grep -vxE 'luaopen_fleece(_cjson)?(_safe)?|luaopen_fleece_(dkjson|rxi|rapidjson|luajson|json4lua)|_init|_fini|_edata|_end|__bss_start')
  verdict "$r exports luaopen_fleece... alone" "$wrong"
  missing=
  for name in luaopen_fleece luaopen_fleece_safe luaopen_fleece_cjson luaopen_fleece_cjson_safe \
    luaopen_fleece_dkjson luaopen_fleece_rxi luaopen_fleece_rapidjson luaopen_fleece_luajson luaopen_fleece_json4lua; do
    $dynamic "$so" | grep -qE "[ _]$name\$" || missing="$missing$name is not exported"$'\n'
  done
  verdict "$r exports what it must" "${missing%$'\n'}"

  # Memory comes from Lua's allocator, output goes to Lua: of the C library only plain memory work and the
  # file functions that write, decode_file, documents and open_file need. malloc serves the private state that proves a
  # layout; the dl functions keep the object in the process.
  wrong=$(nm -D --undefined-only "$so" 2>/dev/null | awk '{print $NF}' | sed 's/@.*//' | grep -vxE \
    'luaL?_[a-z]+_?|mem(cpy|move|set|cmp|chr)|strlen|strcmp|strncmp|strchr|getenv|malloc|free|realloc|calloc|f(write|error|ileno|lush|open|close|read|seek|tell|stat)|open|close|mmap|munmap|dladdr|dlopen|dlclose|_?_?(IO_)?getc|(__)?(errno_location|strerror)|__stack_chk_fail|__(memcpy|memmove|memset)_chk|_ITM_(de)?registerTMCloneTable|__gmon_start__|__cxa_finalize|__(cpu_model|cpu_indicator_init|getauxval)|getauxval|__x86_get_cpuid_feature_leaf')
  verdict "$r needs nothing of the C library but memory and files" "$wrong"

  # No mutable statics: several states in several threads share one object. Constants that hold addresses lie
  # in .data.rel.ro, which is read-only once they are filled in.
  if command -v objdump >/dev/null 2>&1; then
    wrong=$(objdump -t "$so" | awk '$2 == "O" || $3 == "O" {print $(NF-2), $NF}' | grep -E '^\.(data|bss|tdata|tbss) ' |
      awk '{print $2}' | grep -vxE 'completed\.[0-9]+|__dso_handle|__TMC_END__')
    verdict "$r keeps no writable statics" "$wrong"
  else
    skipped "$r keeps no writable statics" "objdump is missing"
  fi
done
[ -n "$seen" ] || skipped "shared objects" "none is built"
