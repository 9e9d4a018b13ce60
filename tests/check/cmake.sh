#!/usr/bin/env bash
# cmake.sh -- the C libraries by CMake: built, installed, and found by find_package from programs that link them. It
# has caught nothing so far; nothing else runs CMakeLists.txt.
. "$(dirname "$0")/support/lib.sh"
if ! command -v cmake >/dev/null 2>&1; then skipped "CMake builds the C libraries" "not installed: cmake"; exit 0; fi
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
unset MAKEFLAGS MAKELEVEL MFLAGS LD_LIBRARY_PATH DYLD_LIBRARY_PATH
problem() { "$@" >"$tmp/log" 2>&1 || tail -n 8 "$tmp/log"; }
version=$(sed -n 's/#define FLEECE_VERSION "\(.*\)"/\1/p' include/fleece.h)
inc=$(tools/where.sh include lua5.4) && lib=$(tools/where.sh lib lua5.4) || inc=
case ${inc:-/} in /*) ;; *) inc=$PWD/$inc ;; esac
case ${lib:-/} in /*|-*) ;; *) lib=$PWD/$lib ;; esac

said=$(problem cmake -S . -B "$tmp/build" -DFLEECE_LIBRARIES=ON -DFLEECE_MODULE=OFF "-DLUA_INCLUDE_DIR=$inc" \
  -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O0 -DCMAKE_INSTALL_LIBDIR=lib)
[ -n "$said" ] || said=$(problem cmake --build "$tmp/build")
[ -n "$said" ] || said=$(problem cmake --install "$tmp/build" --prefix "$tmp/at")
verdict "CMake builds and installs the C libraries" "$said"
[ -z "$said" ] || exit 0
verdict "it leaves out the module where that is not wanted" "$(find "$tmp/at" -path '*lua/*')"
if [ "$(uname -s)" = Linux ]; then
  for pair in "fleece:include/fleece.h include/fleece-text.h" ${inc:+fleece-lua5.4:include/fleece-lua.h}; do
    read -ra headers <<<"${pair#*:}"
    verdict "lib${pair%%:*} of CMake exports what ${headers[*]} declare, nothing else" \
      "$(nm -D --defined-only "$tmp/at/lib/lib${pair%%:*}.so.${version%%.*}" | awk '{print $3}' | grep -vxE '_init|_fini|_edata|_end|__bss_start' |
        sort | diff - <(sed -n 's/^FLEECE_API.*[ *]\([a-z0-9_]*\)(.*/\1/p' "${headers[@]}" | sort))"
  done
fi

# The same files as make install-lib, of which all but the libraries are equal.
if [ -n "$inc" ] && [ "$(uname -s)" = Linux ]; then
  make -s RUNTIME=lua5.4 lib >/dev/null 2>&1
  mv "$tmp/at" "$tmp/cmake"
  said=$(problem make RUNTIME=lua5.4 PREFIX="$tmp/at" LIB_HERE="fleece fleece-lua5.4" install-lib)
  mv "$tmp/at" "$tmp/make"
  mv "$tmp/cmake" "$tmp/at"
  [ -n "$said" ] || said=$(diff <(cd "$tmp/at" && find . | sort) <(cd "$tmp/make" && find . | sort))
  [ -n "$said" ] || said=$(diff -r --exclude='*.a' --exclude='*.so*' "$tmp/at" "$tmp/make")
  verdict "make install-lib installs the same files" "$said"
fi

# consumer NAME SOURCE TARGET WANTED [LIBRARY...]: a project of its own, built and run from where the libraries lie.
consumer() {
  local name=$1 source=$2 target=$3 wanted=$4 wrong
  shift 4
  rm -rf "$tmp/project"
  mkdir "$tmp/project"
  cp "$source" "$tmp/project/program.c"
  cat >"$tmp/project/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.13)
project(program C)
find_package(fleece $version REQUIRED)
add_executable(program program.c)
set_target_properties(program PROPERTIES ENABLE_EXPORTS ON)
target_link_libraries(program PRIVATE $target $*)
END
  [ $# = 0 ] || echo "target_include_directories(program PRIVATE $inc)" >>"$tmp/project/CMakeLists.txt"
  wrong=$(problem cmake -S "$tmp/project" -B "$tmp/project/build" "-DCMAKE_PREFIX_PATH=$tmp/at")
  [ -n "$wrong" ] || wrong=$(problem cmake --build "$tmp/project/build")
  [ -n "$wrong" ] || wrong=$("$tmp/project/build/program" 2>&1 | diff <(echo "$wanted") -)
  verdict "$name" "$wrong"
}
cat >"$tmp/small.c" <<'END'
#include <fleece.h>
#include <stdio.h>

int main(void) {
  puts(fleece_version());
  return fleece_version_number() != FLEECE_VERSION_NUMBER;
}
END
for kind in '' -static; do
  consumer "a program finds fleece::fleece$kind" "$tmp/small.c" "fleece::fleece$kind" "$version"
  if [ -z "$inc" ]; then skipped "a host finds fleece::fleece-lua5.4$kind" "not installed: no Lua 5.4"
  else
    consumer "a host finds fleece::fleece-lua5.4$kind" examples/embed/host.c "fleece::fleece-lua5.4$kind" \
      '{"id":"x1","none":[],"sum":42}
cannot encode a function at the root' "$lib" m dl
  fi
done

# Another major version has other functions, so it is not taken.
sed -i.old 's/find_package(fleece [^ ]*/find_package(fleece 0.9/' "$tmp/project/CMakeLists.txt"
rm -rf "$tmp/project/build"
verdict "find_package refuses another major version" \
  "$(cmake -S "$tmp/project" -B "$tmp/project/build" "-DCMAKE_PREFIX_PATH=$tmp/at" >"$tmp/log" 2>&1 && echo "it was taken"
    grep -q "fleece-config.cmake, version: $version" "$tmp/log" || tail -n 5 "$tmp/log")"

# What vcpkg does with packaging/vcpkg: the port runs with functions that stand for vcpkg's own, and configure, build, install
# and move files as those do. It has libfleece alone.
cat >"$tmp/vcpkg.cmake" <<'END'
set(VERSION 0)
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(code)
    message(FATAL_ERROR "${said}")
  endif()
endfunction()
function(vcpkg_download_distfile out)
endfunction()
function(vcpkg_extract_source_archive out)
  set(${out} "${REPOSITORY}" PARENT_SCOPE)
endfunction()
function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 its "" SOURCE_PATH OPTIONS)
  run("${CMAKE_COMMAND}" -S "${its_SOURCE_PATH}" -B "${CURRENT_PACKAGES_DIR}-build" ${its_OPTIONS} -DBUILD_SHARED_LIBS=OFF
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE=-O0 -DCMAKE_INSTALL_LIBDIR=lib)
endfunction()
function(vcpkg_cmake_install)
  run("${CMAKE_COMMAND}" --build "${CURRENT_PACKAGES_DIR}-build")
  foreach(place "" /debug)
    run("${CMAKE_COMMAND}" --install "${CURRENT_PACKAGES_DIR}-build" --prefix "${CURRENT_PACKAGES_DIR}${place}")
  endforeach()
endfunction()
function(vcpkg_fixup_pkgconfig)
endfunction()
function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(PARSE_ARGV 0 its "" CONFIG_PATH "")
  file(MAKE_DIRECTORY "${CURRENT_PACKAGES_DIR}/share")
  file(RENAME "${CURRENT_PACKAGES_DIR}/${its_CONFIG_PATH}" "${CURRENT_PACKAGES_DIR}/share/fleece")
  file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/${its_CONFIG_PATH}")
endfunction()
function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 its "" "" FILE_LIST)
  file(COPY ${its_FILE_LIST} DESTINATION "${CURRENT_PACKAGES_DIR}/share/fleece")
endfunction()
include("${REPOSITORY}/packaging/vcpkg/portfile.cmake")
END
rm -rf "$tmp/at"
said=$(problem cmake "-DREPOSITORY=$PWD" "-DCURRENT_PACKAGES_DIR=$tmp/at" -P "$tmp/vcpkg.cmake")
[ -n "$said" ] || said=$(cmake --build "$tmp/at-build" --target help | grep -F fleece-lua; find "$tmp/at/lib" -name '*lua*'
  ls -d "$tmp/at/debug/include" "$tmp/at/lib/cmake/fleece" 2>/dev/null)
verdict "vcpkg's port installs libfleece, and nothing of Lua" "$said"
for kind in '' -static; do consumer "a program finds fleece::fleece$kind where vcpkg installs it" "$tmp/small.c" "fleece::fleece$kind" "$version"; done
