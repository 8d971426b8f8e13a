# Precompiled headers: `common` for all folders and `gateway` for those above the gateway, whose interface is most of what
# they read, each with a twin for test programs; `storage`, `net` and `cli` for these folders, with the foreign headers they read. Everything that includes one is compiled with the same
# definitions (orrery_flags), which is what lets it be shared.
#
# Tests themselves are compiled without optimisation, which takes 40 % less time; they are half of a fresh build.
# What they test is compiled as users have it.
set(orrery_test_options $<$<CONFIG:Release>:-O0>)
# Folders whose code answers no request of everyday work (statements about schemas, the command line, the page of the
# portal) are optimised less, which takes a third less time to compile.
set(orrery_cold_options $<$<CONFIG:Release>:-O1>)

# Sources that are compiled as one unit where CMAKE_UNITY_BUILD is on (docs/decisions/0023-unity-builds.md).
set(orrery_unit_sources_max 24)
set(orrery_test_unit_sources_max 16)

# orrery_unite(<target> <most sources>): chooses the units of a unity build, so that a new source changes one unit and not those behind
# it. A directory is one unit; small ones that follow each other share one, and a large one is cut into equal parts.
function(orrery_unite target sources_max)
  if(NOT CMAKE_UNITY_BUILD)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  set(directories "")
  foreach(source ${sources})
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE path)
    cmake_path(GET path PARENT_PATH directory)
    cmake_path(RELATIVE_PATH directory BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    if(directory STREQUAL ".")
      set(directory root)
    endif()
    string(MAKE_C_IDENTIFIER "${directory}" directory)
    list(APPEND directories ${directory})
    list(APPEND sources_of_${directory} ${source})
  endforeach()
  list(REMOVE_DUPLICATES directories)
  set(filled ${sources_max})
  foreach(directory ${directories})
    list(LENGTH sources_of_${directory} count)
    math(EXPR parts "(${count} + ${sources_max} - 1) / ${sources_max}")
    math(EXPR part_max "(${count} + ${parts} - 1) / ${parts}")
    set(part 0)
    set(in_part ${part_max})
    foreach(source ${sources_of_${directory}})
      math(EXPR needed "${filled} + ${part_max}")
      if(in_part EQUAL part_max AND (part GREATER 0 OR needed GREATER sources_max))
        # Named after where it begins, not numbered: so the names of others do not change with it.
        set(unit ${directory}_${part})
        set(filled 0)
      endif()
      if(in_part EQUAL part_max)
        math(EXPR part "${part} + 1")
        set(in_part 0)
      endif()
      set_property(SOURCE ${source} PROPERTY UNITY_GROUP ${unit})
      math(EXPR in_part "${in_part} + 1")
      math(EXPR filled "${filled} + 1")
    endforeach()
  endforeach()
endfunction()

function(orrery_precompiled target header)
  add_library(${target} OBJECT ${CMAKE_SOURCE_DIR}/cmake/pch/${header}.cc)
  set_target_properties(${target} PROPERTIES UNITY_BUILD OFF)
  target_link_libraries(${target} PUBLIC orrery_flags ${ARGN})
  target_precompile_headers(${target} PRIVATE ${CMAKE_SOURCE_DIR}/cmake/pch/${header}.h)
endfunction()

orrery_precompiled(orrery_common_pch common)
orrery_precompiled(orrery_gateway_pch gateway)
orrery_precompiled(orrery_storage_pch storage RocksDB::rocksdb)
orrery_precompiled(orrery_net_pch net Boost::headers OpenSSL::SSL)
orrery_precompiled(orrery_cli_pch cli)
orrery_precompiled(orrery_common_test_pch testing GTest::gtest GTest::gmock)
orrery_precompiled(orrery_gateway_test_pch gateway_testing GTest::gtest GTest::gmock)
target_compile_options(orrery_common_test_pch PRIVATE ${orrery_test_options})
target_compile_options(orrery_gateway_test_pch PRIVATE ${orrery_test_options})

# orrery_test_program(<name> [PCH <header>] <sources>... ): a GoogleTest program.
function(orrery_test_program name)
  cmake_parse_arguments(arg "" "PCH" "" ${ARGN})
  if(NOT arg_PCH)
    set(arg_PCH common)
  endif()
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_compile_options(${name} PRIVATE ${orrery_test_options})
  target_link_libraries(${name} PRIVATE GTest::gtest GTest::gmock GTest::gtest_main)
  target_precompile_headers(${name} REUSE_FROM orrery_${arg_PCH}_test_pch)
  orrery_unite(${name} ${orrery_test_unit_sources_max})
endfunction()

add_custom_target(orrery_fuzzers COMMENT "All fuzz targets")
# The main function of fuzz programs that replay their corpus; compiled once for all of them.
if(NOT ORRERY_FUZZ)
  add_library(orrery_fuzz_replay OBJECT ${CMAKE_SOURCE_DIR}/tests/fuzz/replay.cc)
  target_link_libraries(orrery_fuzz_replay PUBLIC orrery_flags)
endif()

# orrery_fuzz_program(<name> <source> <library>): in the fuzz preset a libFuzzer program; elsewhere a
# program that feeds the kept corpus and some mutations of it to the same function, run as a test.
function(orrery_fuzz_program name source library)
  add_executable(${name} ${source})
  if(ORRERY_FUZZ)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  else()
    target_link_libraries(${name} PRIVATE orrery_fuzz_replay)
    add_test(NAME ${name} COMMAND ${name} ${CMAKE_SOURCE_DIR}/tests/fuzz/corpus/${name})
    set_tests_properties(${name} PROPERTIES LABELS fuzz)
  endif()
  target_link_libraries(${name} PRIVATE ${library})
  target_precompile_headers(${name} REUSE_FROM orrery_common_pch)
  add_dependencies(orrery_fuzzers ${name})
endfunction()

# orrery_folder(<name> [COLD] [PCH <header>] [TEST_PCH <header>] [LINK <targets>...] [PRIVATE <targets>...])
#
# One folder, one library: compiles every *.cc beside and below the calling CMakeLists.txt into
# orrery_<name>, every *_test.cc into the test program orrery_<name>_test, and each *_fuzz.cc into a
# program of its own. Sources are globbed because the folder *is* the definition; CONFIGURE_DEPENDS
# makes a new file rebuild without a manual step.
function(orrery_folder name)
  cmake_parse_arguments(arg "COLD" "PCH;TEST_PCH" "LINK;PRIVATE" ${ARGN})
  if(NOT arg_PCH)
    set(arg_PCH common)
  endif()
  if(NOT arg_TEST_PCH)
    set(arg_TEST_PCH ${arg_PCH})
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
  set(tests ${sources})
  set(fuzzers ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER fuzzers INCLUDE REGEX "_fuzz\\.cc$")
  list(FILTER sources EXCLUDE REGEX "_(test|fuzz)\\.cc$")
  # Programs have their main() beside the library.
  file(GLOB mains CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/main/*.cc)
  list(REMOVE_ITEM sources ${mains})

  add_library(orrery_${name} STATIC ${sources})
  target_link_libraries(orrery_${name} PUBLIC orrery_flags ${arg_LINK} PRIVATE ${arg_PRIVATE})
  target_precompile_headers(orrery_${name} REUSE_FROM orrery_${arg_PCH}_pch)
  orrery_unite(orrery_${name} ${orrery_unit_sources_max})
  if(arg_COLD)
    target_compile_options(orrery_${name} PRIVATE ${orrery_cold_options})
  endif()

  if(tests)
    orrery_test_program(orrery_${name}_test PCH ${arg_TEST_PCH} ${tests})
    target_link_libraries(orrery_${name}_test PRIVATE orrery_${name} ${arg_PRIVATE})
    add_test(NAME ${name} COMMAND orrery_${name}_test)
    set_tests_properties(${name} PROPERTIES LABELS unit)
  endif()

  foreach(source ${fuzzers})
    get_filename_component(stem ${source} NAME_WE)
    orrery_fuzz_program(orrery_${name}_${stem} ${source} orrery_${name})
  endforeach()
endfunction()

# Programs that run for long allocate with jemalloc (docs/decisions/0012-allocator.md). Sanitizers bring an
# allocator of their own.
function(orrery_use_allocator program)
  if(NOT ORRERY_SANITIZE)
    target_link_libraries(${program} PRIVATE orrery_allocator)
  endif()
endfunction()
