# Compiler flags common to every target: warnings, the linker, sanitizers.

add_library(orrery_flags INTERFACE)
target_include_directories(orrery_flags INTERFACE ${CMAKE_SOURCE_DIR}/src)
target_link_libraries(orrery_flags INTERFACE fmt::fmt spdlog::spdlog Threads::Threads)
target_compile_options(orrery_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Werror
  -fno-omit-frame-pointer)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # Without the time stamp in it a precompiled header can come out of the compiler cache.
  target_compile_options(orrery_flags INTERFACE -Wthread-safety -Wno-gnu-zero-variadic-macro-arguments
    "SHELL:-Xclang -fno-pch-timestamp")
endif()

find_program(MOLD mold)
if(MOLD)
  target_link_options(orrery_flags INTERFACE -fuse-ld=mold)
endif()

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
endif()

if(ORRERY_SANITIZE)
  target_compile_options(orrery_flags INTERFACE -fsanitize=${ORRERY_SANITIZE} -fno-sanitize-recover=all)
  target_link_options(orrery_flags INTERFACE -fsanitize=${ORRERY_SANITIZE})
endif()
