// The power fails at every call that a scenario makes to the file system, or at a sample of them in
// the quick run (ORRERY_LONG=1 tries all, ORRERY_CALL=n only that one).
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

#include "faults/trial.h"

namespace orrery::faults {
namespace {

constexpr uint64_t kSamples = 24;
constexpr uint64_t kUnsyncedSamples = 8;
constexpr uint64_t kRestartCalls = 150;  // about what a start makes

class PowerCutTest : public testing::TestWithParam<Scenario> {};

// The fate of unsynced bytes and names changes from trial to trial.
storage::PowerCutOptions OptionsOf(uint64_t index) {
  using Options = storage::PowerCutOptions;
  constexpr Options::Bytes kBytes[] = {Options::Bytes::kLost, Options::Bytes::kTorn,
                                       Options::Bytes::kGarbled};
  constexpr Options::Names kNames[] = {Options::Names::kLost, Options::Names::kSomeLost,
                                       Options::Names::kKept};
  return {.seed = index + 1, .bytes = kBytes[index % 3], .names = kNames[index / 3 % 3]};
}

TrialBench::Trial CutAt(uint64_t index) {
  // Sometimes it fails again while the core recovers.
  const bool again = index * 2'654'435'761 / 1'024 % 3 == 0;
  TrialBench::Trial trial;
  trial.label = fmt::format("power cut at call {}{}", index, again ? ", and at the restart" : "");
  trial.faults.power_cut = OptionsOf(index);
  trial.faults.arm = [index](storage::FaultFileSystem& files) { files.CrashAfter(index); };
  if (again) {
    trial.faults.arm_restart = [index](storage::FaultFileSystem& files) {
      files.CrashAfter(index * 7 % kRestartCalls);
    };
  }
  return trial;
}

// ORRERY_CALL=n tries that one only, to look into a failure.
std::optional<uint64_t> OnlyCall() {
  const char* call = std::getenv("ORRERY_CALL");
  if (call == nullptr) return std::nullopt;
  return std::strtoull(call, nullptr, 10);
}

TEST_P(PowerCutTest, LeavesWhatWasAcknowledged) {
  TrialBench bench(GetParam());
  const auto whole = bench.Play("without faults", {});
  ASSERT_THAT(whole.violations, testing::IsEmpty());
  ASSERT_GT(whole.calls, 0u);

  const uint64_t step = LongRun() ? 1 : std::max<uint64_t>(1, whole.calls / kSamples);
  std::vector<TrialBench::Trial> trials;
  for (uint64_t index = 0; index < whole.calls; index += step) trials.push_back(CutAt(index));
  if (const auto only = OnlyCall()) trials = {CutAt(*only)};
  EXPECT_THAT(bench.PlayAll(trials), testing::IsEmpty());
}

// Without syncs a power cut may lose what was acknowledged, but not the rest: the core starts, and
// what each partition has left holds together.
TEST_P(PowerCutTest, WithoutSyncsLeavesWhatHoldsTogether) {
  TrialBench bench(GetParam());
  TrialBench::Faults faults;
  faults.durability = storage::Durability::kOs;
  const auto whole = bench.Play("without faults", faults);
  ASSERT_THAT(whole.violations, testing::IsEmpty());
  const uint64_t step = LongRun() ? 1 : std::max<uint64_t>(1, whole.calls / kUnsyncedSamples);
  std::vector<TrialBench::Trial> trials;
  for (uint64_t index = 0; index < whole.calls; index += step) {
    trials.push_back(CutAt(index));
    trials.back().faults.durability = storage::Durability::kOs;
    trials.back().faults.losses_allowed = true;
  }
  EXPECT_THAT(bench.PlayAll(trials), testing::IsEmpty());
}

// The tests themselves: writes that are acknowledged before they are durable do get lost, and the
// audit sees it.
TEST(PowerCutAuditTest, FindsWritesThatWereNotDurable) {
  const Scenario scenario{"not durable", [](Core&, World&) {},
                          [](Core& core, World& world) { world.Upserts(core, kItems, 8); }};
  TrialBench bench(scenario);
  TrialBench::Faults faults;
  faults.durability = storage::Durability::kOs;
  EXPECT_THAT(bench.Play("without faults", faults).violations, testing::IsEmpty());
  const Scenario crashing{"not durable", [](Core&, World&) {},
                          [](Core& core, World& world) {
                            world.Upserts(core, kItems, 8);
                            core.CutPower();
                          }};
  TrialBench crashing_bench(crashing);
  EXPECT_THAT(
      crashing_bench.Play("power cut at the end", faults).violations,
      testing::IsSupersetOf({testing::HasSubstr("went back"), testing::HasSubstr("session")}));
  faults.durability = storage::Durability::kDurable;
  EXPECT_THAT(crashing_bench.Play("power cut at the end, durable", faults).violations,
              testing::IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Scenarios, PowerCutTest, testing::ValuesIn(Scenarios()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace orrery::faults
