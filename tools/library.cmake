# library.cmake -- builds the C libraries as tools/library.mk does, and installs the same files; tests/check/cmake.sh
# compares them. On Windows CMake itself writes the file for find_package(fleece), and there is no pkg-config.
# Included by CMakeLists.txt with FLEECE_LIBRARIES=ON.
#
# find_package defines the targets fleece::fleece and fleece::fleece-static, and, if Lua's headers were found,
# fleece::fleece-lua5.4 and fleece::fleece-lua5.4-static.
file(STRINGS src/module/version.h version REGEX "^#define FLEECE_VERSION \"")
string(REGEX REPLACE ".*\"(.*)\".*" "\\1" version "${version}")
string(REGEX REPLACE "\\..*" "" FLEECE_ABI "${version}") # as LIB_ABI of library.mk

# fleece_library(NAME SOURCE): NAME is a shared library, NAME-static an archive; both are installed in lib and exported.
function(fleece_library name source)
  foreach(kind SHARED STATIC)
    set(target ${name})
    if(kind STREQUAL STATIC)
      set(target ${name}-static)
    endif()
    add_library(${target} ${kind} ${source})
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} SOVERSION ${FLEECE_ABI} C_STANDARD 99 C_EXTENSIONS ON
      POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
    target_compile_definitions(${target} PRIVATE NDEBUG)
    target_include_directories(${target} PRIVATE src INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
      $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
    if(name MATCHES lua)
      fleece_use_lua(${target})
      string(REPLACE ${name} fleece plain ${target})
      target_link_libraries(${target} INTERFACE ${plain}) # because fleece-lua.h uses functions of libfleece
    endif()
    if(WIN32 AND kind STREQUAL SHARED)
      target_compile_definitions(${target} INTERFACE FLEECE_DLL)
    elseif(WIN32)
      set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name}-static) # NAME.lib belongs to the DLL
    endif()
    install(TARGETS ${target} EXPORT fleece LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
      ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endforeach()
  set(description "JSON and the Fleece binary format in C")
  set(requires "")
  if(name MATCHES lua)
    string(REPLACE fleece- "" lua ${name})
    set(description "Fleece for C programs that embed ${lua}, which they bring themselves")
    set(requires fleece)
  endif()
  if(NOT WIN32)
    fleece_fill_in(fleece.pc.in ${name}.pc ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  endif()
endfunction()

# fleece_fill_in(SOURCE FILE FOLDER): installs tools/SOURCE with its variables filled in, which is done when it is
# installed: only then the prefix is known.
function(fleece_fill_in source file folder)
  install(CODE "
    get_filename_component(libdir ${CMAKE_INSTALL_LIBDIR} ABSOLUTE BASE_DIR \${CMAKE_INSTALL_PREFIX})
    get_filename_component(includedir ${CMAKE_INSTALL_INCLUDEDIR} ABSOLUTE BASE_DIR \${CMAKE_INSTALL_PREFIX})
    set(prefix \"\${CMAKE_INSTALL_PREFIX}\")
    set(name \"${name}\")
    set(description \"${description}\")
    set(requires \"${requires}\")
    set(version \"${version}\")
    configure_file(\"${PROJECT_SOURCE_DIR}/tools/${source}\" \"${PROJECT_BINARY_DIR}/${file}\" @ONLY)")
  install(FILES ${PROJECT_BINARY_DIR}/${file} DESTINATION ${folder})
endfunction()

fleece_library(fleece src/library.c)
if(LUA_INCLUDE_DIR)
  fleece_library(fleece-${LUA_NAME} src/library_lua.c)
endif()

install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
set(place ${CMAKE_INSTALL_LIBDIR}/cmake/fleece)
if(NOT WIN32)
  fleece_fill_in(fleece-config.cmake.in fleece-config.cmake ${place})
  fleece_fill_in(fleece-config-version.cmake.in fleece-config-version.cmake ${place})
  return()
endif()
include(CMakePackageConfigHelpers)
set(config ${PROJECT_BINARY_DIR}/fleece-config.cmake)
file(WRITE ${config} "include(\"\${CMAKE_CURRENT_LIST_DIR}/fleece-targets.cmake\")\n")
write_basic_package_version_file(${PROJECT_BINARY_DIR}/fleece-config-version.cmake VERSION ${version}
  COMPATIBILITY SameMajorVersion)
install(FILES ${config} ${PROJECT_BINARY_DIR}/fleece-config-version.cmake DESTINATION ${place})
install(EXPORT fleece NAMESPACE fleece:: FILE fleece-targets.cmake DESTINATION ${place})
