// Mutations that are evaluated while an earlier group is being written see that group, and share
// its fate.
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <random>
#include <thread>

#include "base/log.h"
#include "partition/sequencer_testing.h"
#include "storage/engine/engine_testing.h"
#include "storage/fault/fault_file_system.h"

namespace orrery::partition {
namespace {

using storage::Fault;
using storage::FileCall;

Status LookAt(GroupWriter& writer, std::string_view key) {
  ORRERY_TRY(writer.Get(key));
  return {};
}

class SequencerOverlapTest : public testing::Test {
 protected:
  SequencerOverlapTest() {
    SetLogLevel(LogLevel::kOff);
    Open({.look_ahead_min = 1});
  }

  void Open(SequencerOptions options) {
    sequencer_.reset();
    engine_.reset();
    engine_ =
        *storage::Engine::Open(resources_, {.path = directory_ / "engine", .merge_rule = &sum_});
    sequencer_ = *Sequencer::Open(*engine_, pool_, clock_, nullptr, options);
  }

  std::future<Result<Lsn>> Submit(ScriptedMutation::Body body) {
    std::future<Result<Lsn>> outcome;
    sequencer_->Submit(Scripted(std::move(body), outcome));
    return outcome;
  }
  // Returns when the body has run.
  std::future<Result<Lsn>> SubmitAndEvaluate(ScriptedMutation::Body body) {
    std::promise<void> evaluated;
    auto outcome = Submit([&](GroupWriter& writer) {
      Status status = body(writer);
      evaluated.set_value();
      return status;
    });
    evaluated.get_future().wait();
    return outcome;
  }

  // Returns while the write waits for the disk; Release lets it go.
  std::future<Result<Lsn>> SubmitAndHoldTheDisk(ScriptedMutation::Body body = PutBody("a", "1")) {
    std::promise<void> reached;
    faults_.Before(
        FileCall::kSync,
        [this, &reached, first = std::make_shared<std::atomic<bool>>(true)](const std::string&) {
          if (!first->exchange(false)) return;
          reached.set_value();
          released_.get_future().wait();
        });
    auto outcome = Submit(std::move(body));
    reached.get_future().wait();
    return outcome;
  }
  void Release() { released_.set_value(); }

  const storage::SumRule sum_;
  storage::TemporaryDirectory directory_;
  storage::TemporaryDirectory scratch_;
  storage::FaultFileSystem faults_{scratch_.path()};
  storage::EngineResources resources_{
      storage::ResourceOptions{.file_system = faults_.AsFileSystem()}};
  ThreadPool pool_{"commit", 2, 64};
  ManualClock clock_;
  std::promise<void> released_;
  std::unique_ptr<storage::Engine> engine_;
  std::unique_ptr<Sequencer> sequencer_;
};

TEST_F(SequencerOverlapTest, TheNextGroupSeesTheOneBeingWritten) {
  auto first = SubmitAndHoldTheDisk();
  std::string seen;
  auto second = SubmitAndEvaluate([&](GroupWriter& writer) -> Status {
    ORRERY_ASSIGN(const auto a, writer.Get("a"));
    seen = a.value_or("(none)");
    writer.Put("b", "2");
    return writer.Scan("a", "c", 10, [&](std::string_view key, std::string_view value) {
      seen.append(" ").append(key).append("=").append(value);
      return true;
    });
  });
  EXPECT_EQ(seen, "1 a=1 b=2");
  EXPECT_EQ(storage::Read(*engine_, "a"), std::nullopt) << "readers see what is durable";
  EXPECT_EQ(sequencer_->last_committed(), Lsn(0));
  Release();
  EXPECT_EQ(*first.get(), Lsn(1));
  EXPECT_EQ(*second.get(), Lsn(2));
  EXPECT_EQ(storage::Read(*engine_, "b"), "2");
  EXPECT_EQ(sequencer_->Stats().groups, 2u);
}

// Merges of a group count once for groups evaluated after it, before and after its write ends.
TEST_F(SequencerOverlapTest, MergesOfTheGroupBeingWrittenCountOnce) {
  const auto add = [](GroupWriter& writer) -> Status {
    writer.Merge("sum", "1");
    return {};
  };
  std::vector<std::string> sums;
  const auto add_and_look = [&](GroupWriter& writer) -> Status {
    writer.Merge("sum", "1");
    ORRERY_ASSIGN(const auto sum, writer.Get("sum"));
    sums.emplace_back(sum.value_or("(none)"));
    return {};
  };
  ASSERT_TRUE(Submit(add).get().has_value());
  auto first = SubmitAndHoldTheDisk(add);
  auto second = SubmitAndEvaluate(add_and_look);
  // Evaluated by the worker that has just seen the first write end or not, as it happens.
  Release();
  auto third = Submit(add_and_look);
  EXPECT_TRUE(first.get().has_value());
  EXPECT_TRUE(second.get().has_value());
  EXPECT_TRUE(third.get().has_value());
  EXPECT_EQ(sums, (std::vector<std::string>{"3", "4"}));
  EXPECT_EQ(storage::Read(*engine_, "sum"), "4");
}

TEST_F(SequencerOverlapTest, KeysThatAreBeingMergedAreFound) {
  const auto merge = [](std::string key) {
    return [key](GroupWriter& writer) -> Status {
      writer.Merge(key, "1");
      return {};
    };
  };
  ASSERT_TRUE(Submit(merge("k2")).get().has_value());
  auto first = SubmitAndHoldTheDisk(merge("k1"));
  std::string seen;
  std::optional<Code> beyond;
  auto second = SubmitAndEvaluate([&](GroupWriter& writer) -> Status {
    writer.Merge("k3", "1");
    writer.Merge("k2", "1");
    writer.Merge("l", "1");
    const auto count = writer.ScanKeys("k", "l", 2, [](std::string_view) {});
    if (!count.has_value()) beyond = count.error().code();
    return writer.ScanKeys("k", "l", 3, [&](std::string_view key) { seen.append(key); });
  });
  EXPECT_EQ(seen, "k1k2k3");
  EXPECT_EQ(beyond, Code::kTooLarge);
  Release();
  EXPECT_TRUE(first.get().has_value());
  EXPECT_TRUE(second.get().has_value());
}

TEST_F(SequencerOverlapTest, AMutationThatOnlyReadsWaitsForWhatItSaw) {
  auto first = SubmitAndHoldTheDisk();
  auto reader =
      SubmitAndEvaluate([](GroupWriter& writer) -> Status { return LookAt(writer, "a"); });
  EXPECT_EQ(reader.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
  Release();
  EXPECT_EQ(*reader.get(), Lsn(1));
  EXPECT_TRUE(first.get().has_value());
}

TEST_F(SequencerOverlapTest, AFailedWriteTakesWithItWhatSawIt) {
  auto first = SubmitAndHoldTheDisk();
  auto writer = SubmitAndEvaluate(PutBody("b", "2"));
  auto reader = SubmitAndEvaluate([](GroupWriter& group) -> Status { return LookAt(group, "a"); });
  auto refused = SubmitAndEvaluate([](GroupWriter& group) -> Status {
    ORRERY_ASSIGN(const auto a, group.Get("a"));
    return a.has_value() ? Fail(Code::kAlreadyExists, "it is there") : Status();
  });
  faults_.Fail(FileCall::kSync, Fault::kIoError);
  Release();
  for (auto* outcome : {&first, &writer, &reader, &refused}) {
    EXPECT_EQ(outcome->get().error().code(), Code::kUnavailable);
  }
  EXPECT_EQ(Submit(PutBody("c", "3")).get().error().code(), Code::kUnavailable);
  EXPECT_EQ(sequencer_->last_committed(), Lsn(0));
}

TEST_F(SequencerOverlapTest, PauseWaitsForWhatWasEvaluated) {
  auto first = SubmitAndHoldTheDisk();
  auto second = SubmitAndEvaluate(PutBody("b", "2"));
  std::thread release([this] { Release(); });
  sequencer_->Pause();
  EXPECT_EQ(sequencer_->PausedPosition().lsn, Lsn(2));
  EXPECT_EQ(storage::Read(*engine_, "b"), "2");
  auto third = Submit(PutBody("c", "3"));
  EXPECT_EQ(third.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
  sequencer_->Resume();
  EXPECT_EQ(*third.get(), Lsn(3));
  release.join();
}

TEST_F(SequencerOverlapTest, RetireKeepsWhatWasEvaluatedAndNothingThatItHandsBack) {
  Open({.group_max = 1, .look_ahead_min = 1});
  auto first = SubmitAndHoldTheDisk();
  auto second = SubmitAndEvaluate(PutBody("b", "2"));
  auto waiting = Submit(PutBody("c", "3"));
  std::thread release([this] { Release(); });
  sequencer_->Retire(Error(Code::kMoved, "split"));
  release.join();
  EXPECT_TRUE(first.get().has_value());
  EXPECT_TRUE(second.get().has_value());
  EXPECT_EQ(storage::Read(*engine_, "b"), "2");
  const auto outcome = waiting.get();
  EXPECT_EQ(storage::Read(*engine_, "c").has_value(), outcome.has_value());
  if (!outcome.has_value()) EXPECT_EQ(outcome.error().code(), Code::kMoved);
}

TEST_F(SequencerOverlapTest, TheGroupThatFormsIsLimited) {
  Open({.group_max = 2, .look_ahead_min = 1});
  std::vector<std::future<Result<Lsn>>> outcomes;
  outcomes.push_back(SubmitAndHoldTheDisk());
  for (int i = 0; i < 5; ++i) outcomes.push_back(Submit(PutBody("b", "2")));
  Release();
  for (size_t i = 0; i < outcomes.size(); ++i) EXPECT_EQ(*outcomes[i].get(), Lsn(i + 1));
  EXPECT_EQ(sequencer_->Stats().groups, 4u) << "1 + 2 + 2 + 1";
}

TEST_F(SequencerOverlapTest, FewMutationsWaitForTheWriteToEnd) {
  Open({.look_ahead_min = 3});
  auto first = SubmitAndHoldTheDisk();
  std::atomic<int> evaluated{0};
  const auto count = [&](GroupWriter& writer) -> Status {
    ++evaluated;
    writer.Put("b", "2");
    return {};
  };
  auto second = Submit(count);
  auto third = Submit(count);
  EXPECT_EQ(evaluated.load(), 0);
  auto fourth = SubmitAndEvaluate(count);
  EXPECT_EQ(evaluated.load(), 3);
  Release();
  EXPECT_EQ(*fourth.get(), Lsn(4));
}

TEST_F(SequencerOverlapTest, LargeMutationsDoNotWaitForTheWriteToEnd) {
  // Each counts for more than nothing.
  Open({.look_ahead_min = 100, .look_ahead_bytes_min = 1});
  auto first = SubmitAndHoldTheDisk();
  auto second = SubmitAndEvaluate(PutBody("b", "2"));
  Release();
  EXPECT_EQ(*second.get(), Lsn(2));
}

TEST_F(SequencerOverlapTest, AOneThreadedPoolDoesItAllInTurn) {
  sequencer_.reset();
  ThreadPool one("commit", 1, 1);
  sequencer_ = *Sequencer::Open(*engine_, one, clock_, nullptr, {.look_ahead_min = 1});
  std::vector<std::future<Result<Lsn>>> outcomes;
  for (int i = 0; i < 300; ++i) outcomes.push_back(Submit(PutBody("a", std::to_string(i))));
  for (auto& outcome : outcomes) EXPECT_TRUE(outcome.get().has_value());
  EXPECT_EQ(storage::Read(*engine_, "a"), "299");
  sequencer_.reset();
}

// Counters incremented without waiting, some of the steps taken back: a group that missed what an
// earlier one wrote would lose steps.
TEST_F(SequencerOverlapTest, OverlappingReadModifyWritesAreSerial) {
  constexpr uint32_t kSeed = 7;
  SCOPED_TRACE(kSeed);
  constexpr int kSteps = 5'000;
  std::mt19937 random(kSeed);
  std::vector<std::future<Result<Lsn>>> outcomes;
  int refused = 0;
  for (int i = 0; i < kSteps; ++i) {
    const std::string key = "counter" + std::to_string(random() % 5);
    const bool refuse = random() % 4 == 0;
    refused += refuse ? 1 : 0;
    outcomes.push_back(Submit([key, refuse](GroupWriter& writer) -> Status {
      ORRERY_ASSIGN(const auto value, writer.Get(key));
      writer.Put(key, std::to_string(value.has_value() ? std::stoi(std::string(*value)) + 1 : 1));
      return refuse ? Fail(Code::kPreconditionFailed, "no") : Status();
    }));
  }
  for (auto& outcome : outcomes) outcome.wait();
  int sum = 0;
  for (int i = 0; i < 5; ++i)
    sum += std::stoi(storage::Read(*engine_, "counter" + std::to_string(i)).value());
  EXPECT_EQ(sum, kSteps - refused);
}

// Sums, and remembers how many operands it was given at once.
class NotingSum final : public storage::MergeRule {
 public:
  bool Merge(std::string_view key, std::optional<std::string_view> existing,
             const std::vector<std::string_view>& operands, bool partial,
             std::string& merged) const override {
    most = std::max(most.load(), operands.size());
    return sum_.Merge(key, existing, operands, partial, merged);
  }
  mutable std::atomic<size_t> most = 0;

 private:
  const storage::SumRule sum_;
};

TEST(SequencerFolds, AHotKeyIsReadInNoMoreTimeThanAnother) {
  const NotingSum sum;
  const storage::TemporaryDirectory directory;
  storage::EngineResources resources;
  ThreadPool pool("commit", 2, 64);
  ManualClock clock;
  auto engine =
      *storage::Engine::Open(resources, {.path = directory / "engine", .merge_rule = &sum});
  auto sequencer = *Sequencer::Open(*engine, pool, clock, nullptr, {});
  constexpr uint32_t kRounds = 10 * MergeChains::kFoldAfter;
  std::vector<std::future<Result<Lsn>>> outcomes;
  for (uint32_t i = 0; i < kRounds; ++i) {
    const auto body = [i](GroupWriter& writer) -> Status {
      writer.Merge("hot", "1");
      writer.Merge("cold" + std::to_string(i), "1");
      return {};
    };
    sequencer->Submit(Scripted(body, outcomes.emplace_back()));
    if (outcomes.size() == 100) {
      for (auto& each : outcomes) ASSERT_TRUE(each.get().has_value());
      outcomes.clear();
    }
  }
  for (auto& each : outcomes) ASSERT_TRUE(each.get().has_value());
  sum.most = 0;
  EXPECT_EQ(storage::Read(*engine, "hot"), std::to_string(kRounds));
  EXPECT_LT(sum.most, 2 * MergeChains::kFoldAfter);
  EXPECT_EQ(storage::Read(*engine, "cold7"), "1");
}

}  // namespace
}  // namespace orrery::partition
