#!/usr/bin/env bash
# big_endian.sh -- the binary format on a CPU with the other byte order: tests/c/test_binary*.c, whose bytes are the
# reference's, and the fuzz target's corpus, under emulation.
# Needs a cross compiler and an emulator (Debian: gcc-s390x-linux-gnu libc6-dev-s390x-cross qemu-user).
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

name="the binary format on s390x"
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
qemu=$(command -v qemu-s390x || command -v qemu-s390x-static)
build() { s390x-linux-gnu-gcc -std=gnu99 -O2 -static -DFLEECE_ASSERT -Isrc -Itests/c/plain "$@" -lm 2>&1; }
if ! command -v s390x-linux-gnu-gcc >/dev/null 2>&1 || [ -z "$qemu" ]; then
  skipped "$name" "no cross compiler or no emulator: gcc-s390x-linux-gnu, libc6-dev-s390x-cross, qemu-user"
elif said=$(build tests/c/test_binary.c -o "$tmp/test" && build tests/c/test_binary_back.c -o "$tmp/back" &&
    build fuzz/binary.c fuzz/drive.c -o "$tmp/fuzz"); then
  if said=$("$qemu" "$tmp/test" 2>&1 && "$qemu" "$tmp/back" 2>&1); then echo "$said"; else verdict "$name" "$(echo "$said" | tail -n 5)"; fi
  said=$("$qemu" "$tmp/fuzz" -r 500 fuzz/corpus/binary 2>&1) && said=
  verdict "$name: the fuzz corpus" "$(echo "$said" | tail -n 5)"
else
  verdict "$name" "$said"
fi
