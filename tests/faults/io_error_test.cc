// Calls to the file system fail, by kind: once or from some point on, with an I/O error or a full
// disk. Nothing acknowledged may be lost, neither while the core runs on nor after a new start, and
// once the disk works again every container takes writes without one.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "faults/audit.h"
#include "faults/trial.h"

namespace orrery::faults {
namespace {

using storage::Fault;
using storage::FaultFileSystem;
using storage::FileCall;

constexpr FileCall kKinds[] = {
    FileCall::kOpenToRead, FileCall::kOpenToWrite,     FileCall::kRead,
    FileCall::kAppend,     FileCall::kFlush,           FileCall::kSync,
    FileCall::kTruncate,   FileCall::kClose,           FileCall::kRename,
    FileCall::kLink,       FileCall::kDelete,          FileCall::kCreateDirectory,
    FileCall::kList,       FileCall::kDeleteDirectory, FileCall::kSyncDirectory,
    FileCall::kInspect};

constexpr uint64_t kQuickSamples = 2;
constexpr uint64_t kLongSamples = 40;

class IoErrorTest : public testing::TestWithParam<Scenario> {};

TEST_P(IoErrorTest, LosesNothing) {
  TrialBench bench(GetParam());
  const auto whole = bench.Play("without faults", {});
  ASSERT_THAT(whole.violations, testing::IsEmpty());

  std::vector<TrialBench::Trial> trials;
  for (const FileCall kind : kKinds) {
    const uint64_t calls = whole.calls_by_kind[static_cast<size_t>(kind)];
    const uint64_t step = std::max<uint64_t>(1, calls / (LongRun() ? kLongSamples : kQuickSamples));
    for (uint64_t skip = 0; skip < calls; skip += step) {
      const Fault fault = trials.size() % 2 == 0 ? Fault::kIoError : Fault::kNoSpace;
      const uint64_t times = trials.size() / 2 % 2 == 0 ? 1 : FaultFileSystem::kForever;
      TrialBench::Trial trial;
      trial.label = fmt::format("{} of call kind {} after {}, {}",
                                fault == Fault::kIoError ? "I/O error" : "full disk",
                                static_cast<int>(kind), skip, times == 1 ? "once" : "from then on");
      trial.faults.arm = [=](FaultFileSystem& files) { files.Fail(kind, fault, skip, times); };
      trial.faults.look = AuditHealing;
      trials.push_back(std::move(trial));
    }
  }
  EXPECT_THAT(bench.PlayAll(trials), testing::IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Scenarios, IoErrorTest, testing::ValuesIn(Scenarios()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace orrery::faults
