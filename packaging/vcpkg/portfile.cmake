# portfile.cmake -- the C library for vcpkg, by CMake. `make dist` replaces what stands between two @:
# vcpkg install fleece --overlay-ports=build/dist/vcpkg
vcpkg_download_distfile(archive
  URLS "@download@/fleece-${VERSION}.tar.gz"
  FILENAME "fleece-${VERSION}.tar.gz"
  SHA512 @sha512@)
vcpkg_extract_source_archive(source ARCHIVE "${archive}")

# libfleece alone: of Lua there is none.
vcpkg_cmake_configure(SOURCE_PATH "${source}"
  OPTIONS -DFLEECE_LIBRARIES=ON -DFLEECE_MODULE=OFF -DLUA_INCLUDE_DIR=)
vcpkg_cmake_install()
vcpkg_fixup_pkgconfig()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/fleece)
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")
vcpkg_install_copyright(FILE_LIST "${source}/LICENSE")
