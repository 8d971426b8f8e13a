#include "storage/compaction_priority.h"

#include <sys/resource.h>
#include <unistd.h>

#include <atomic>

#include "storage/engine/engine_testing.h"

namespace orrery::storage {
namespace {

// Notes the priority of whoever asks it.
class Noting final : public KeepRule {
 public:
  Fate Decide(std::string_view /*key*/, std::string_view /*value*/,
              std::string& /*rest*/) const override {
    niceness = getpriority(PRIO_PROCESS, static_cast<id_t>(gettid()));
    return Fate::kStays;
  }
  mutable std::atomic<int> niceness{-100};
};

using CompactionPriorityTest = EngineTest;

TEST_F(CompactionPriorityTest, CompactionsGiveWayButNotToEverybody) {
  const int process = getpriority(PRIO_PROCESS, static_cast<id_t>(getpid()));
  if (process > 5) GTEST_SKIP() << "this process gives way to so many that both are the same";
  const Noting rule;
  auto engine = Open({.path = directory_ / "engine", .keep_rule = &rule});
  for (int i = 0; i < 3; ++i) {
    ASSERT_OK(PutOne(*engine, "key", std::to_string(i)));
    ASSERT_OK(engine->Compact("", ""));
    EXPECT_EQ(rule.niceness, process + 10) << "each time the same";
  }
}

}  // namespace
}  // namespace orrery::storage
