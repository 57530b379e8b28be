# The toolchain of WebAssembly, as Debian 12's archive of security updates has it: clang 22 with lld, libc++
# and wasi-libc (tools/install_dependencies.sh wasm). Its system is WASI, of which a module imports
# nothing that must answer.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_CXX_COMPILER clang++-22)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
# A program needs a way to begin, which wasm/CMakeLists.txt names.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
