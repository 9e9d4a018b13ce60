# conanfile.py -- the C library for Conan 2, by CMake. `make dist` replaces what stands between two @, and writes it with
# its test_package: conan create build/dist/conan
import os

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, get, rmdir


class Fleece(ConanFile):
    name = "fleece"
    version = "@version@"
    description = "JSON and the Fleece binary format in C"
    license = "MIT"
    homepage = "@homepage@"
    url = "@issues@"
    topics = ("json", "json-schema", "jsonpath", "serialization", "binary")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}
    implements = ["auto_shared_fpic"]
    languages = "C"

    def layout(self):
        cmake_layout(self)

    def source(self):
        get(self, "@download@/fleece-@version@.tar.gz", sha256="@sha256@", strip_root=True)

    def generate(self):
        toolchain = CMakeToolchain(self)
        # libfleece alone: of Lua there is none.
        toolchain.cache_variables.update(FLEECE_LIBRARIES=True, FLEECE_MODULE=False, LUA_INCLUDE_DIR="")
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build(target="fleece" if self.options.shared else "fleece-static")

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        copy(self, "*.h", os.path.join(self.source_folder, "include"), os.path.join(self.package_folder, "include"),
             excludes="fleece-lua.h")
        for pattern in ("*.so*", "*.dylib") if self.options.shared else ("*.a",):
            copy(self, pattern, self.build_folder, os.path.join(self.package_folder, "lib"), keep_path=False)
        copy(self, "*.lib", self.build_folder, os.path.join(self.package_folder, "lib"), keep_path=False)
        copy(self, "*.dll", self.build_folder, os.path.join(self.package_folder, "bin"), keep_path=False)
        rmdir(self, os.path.join(self.package_folder, "lib", "pkgconfig"))

    def package_info(self):
        is_static = not self.options.shared
        self.cpp_info.libs = ["fleece-static" if is_static and self.settings.os == "Windows" else "fleece"]
        self.cpp_info.set_property("cmake_target_name", "fleece::fleece-static" if is_static else "fleece::fleece")
        self.cpp_info.set_property("cmake_target_aliases", ["fleece::fleece"] if is_static else [])
        if self.settings.os == "Windows" and self.options.shared:
            self.cpp_info.defines = ["FLEECE_DLL"]
