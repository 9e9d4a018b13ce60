# mingw.cmake -- a cross-build for Windows from Debian: cmake -B build/windows -DCMAKE_TOOLCHAIN_FILE=tools/mingw.cmake ...
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
