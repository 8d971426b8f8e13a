#include "script/engine.h"

#include <gtest/gtest.h>

#include <csignal>

#include "base/check.h"

namespace orrery::script {
namespace {

// The library has an abort() of its own, which ends the process as if the engine had failed.
TEST(EngineDeathTest, AFailedCheckLooksTheSameBesideTheEngine) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(ORRERY_CHECK(1 + 1 == 3), ::testing::KilledBySignal(SIGABRT), "check failed");
}

}  // namespace
}  // namespace orrery::script
