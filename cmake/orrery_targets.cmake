# orrery_folder(<name> [LINK <targets>...])
#
# One folder, one library: compiles every *.cc beside the calling CMakeLists.txt into
# orrery_<name>, every *_test.cc into the test program orrery_<name>_test, and, in the fuzz
# preset, each *_fuzz.cc into a program of its own. Sources are globbed because the folder *is*
# the definition; CONFIGURE_DEPENDS makes a new file rebuild without a manual step.
function(orrery_folder name)
  cmake_parse_arguments(arg "" "" "LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
  set(tests ${sources})
  set(fuzzers ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER fuzzers INCLUDE REGEX "_fuzz\\.cc$")
  list(FILTER sources EXCLUDE REGEX "_(test|fuzz)\\.cc$")

  if(sources)
    add_library(orrery_${name} STATIC ${sources})
    target_link_libraries(orrery_${name} PUBLIC orrery_flags ${arg_LINK})
  else()
    add_library(orrery_${name} INTERFACE)
    target_link_libraries(orrery_${name} INTERFACE orrery_flags ${arg_LINK})
  endif()

  if(tests)
    add_executable(orrery_${name}_test ${tests})
    target_link_libraries(orrery_${name}_test PRIVATE orrery_${name} GTest::gtest GTest::gmock GTest::gtest_main)
    add_test(NAME ${name} COMMAND orrery_${name}_test)
    set_tests_properties(${name} PROPERTIES LABELS unit)
  endif()

  if(ORRERY_FUZZ)
    foreach(source ${fuzzers})
      get_filename_component(stem ${source} NAME_WE)
      add_executable(orrery_${name}_${stem} ${source})
      target_link_libraries(orrery_${name}_${stem} PRIVATE orrery_${name})
      target_link_options(orrery_${name}_${stem} PRIVATE -fsanitize=fuzzer)
    endforeach()
  endif()
endfunction()
