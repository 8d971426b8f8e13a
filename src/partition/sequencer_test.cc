#include "partition/sequencer.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <future>
#include <random>

#include "partition/sequencer_testing.h"
#include "storage/resources.h"

namespace orrery::partition {
namespace {

class SequencerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "sequencer-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
    Reopen();
  }
  void TearDown() override {
    sequencer_.reset();
    engine_.reset();
    std::filesystem::remove_all(directory_);
  }

  void Reopen(SequencerOptions options = {}) {
    sequencer_.reset();
    engine_.reset();
    auto engine = storage::Engine::Open(resources_, {.path = directory_ + "/engine"});
    ASSERT_TRUE(engine.has_value()) << engine.error().ToString();
    engine_ = *std::move(engine);
    auto sequencer = Sequencer::Open(*engine_, pool_, clock_, nullptr, options);
    ASSERT_TRUE(sequencer.has_value()) << sequencer.error().ToString();
    sequencer_ = *std::move(sequencer);
  }

  Result<Lsn> Run(ScriptedMutation::Body body) {
    std::future<Result<Lsn>> outcome;
    sequencer_->Submit(Scripted(std::move(body), outcome));
    return outcome.get();
  }

  std::string Stored(std::string_view key) {
    storage::PinnedValue value;
    const auto found = engine_->Get(key, value);
    if (!found.has_value()) return found.error().ToString();
    return *found ? std::string(value.view()) : "(none)";
  }

  storage::EngineResources resources_;
  ThreadPool pool_{"commit", 2, 64};
  ManualClock clock_;
  std::string directory_;
  std::unique_ptr<storage::Engine> engine_;
  std::unique_ptr<Sequencer> sequencer_;
};

TEST_F(SequencerTest, CompletesAfterTheWriteIsStored) {
  const auto lsn = Run(PutBody("k", "v"));
  ASSERT_TRUE(lsn.has_value());
  EXPECT_EQ(*lsn, Lsn(1));
  EXPECT_EQ(Stored("k"), "v");
  EXPECT_EQ(sequencer_->last_committed(), Lsn(1));
}

TEST_F(SequencerTest, WhatIsSubmittedQuietlyGoesTogetherWhenItIsStarted) {
  std::future<Result<Lsn>> first;
  std::future<Result<Lsn>> second;
  EXPECT_TRUE(sequencer_->SubmitQuietly(Scripted(PutBody("a", "1"), first)));
  EXPECT_FALSE(sequencer_->SubmitQuietly(Scripted(PutBody("b", "2"), second)))
      << "a start is promised already";
  EXPECT_EQ(sequencer_->Stats().groups, 0u);
  sequencer_->Start();
  EXPECT_EQ(*first.get(), Lsn(1));
  EXPECT_EQ(*second.get(), Lsn(2));
  EXPECT_EQ(sequencer_->Stats().groups, 1u);
  EXPECT_EQ(Stored("b"), "2");
}

TEST_F(SequencerTest, WhatIsSubmittedQuietlyDoesNotHoldUpOthers) {
  std::future<Result<Lsn>> quiet;
  EXPECT_TRUE(sequencer_->SubmitQuietly(Scripted(PutBody("a", "1"), quiet)));
  EXPECT_EQ(*Run(PutBody("b", "2")), Lsn(2));
  EXPECT_EQ(*quiet.get(), Lsn(1));
  sequencer_->Start();

  sequencer_->Retire(Error(Code::kMoved, "split"));
  std::future<Result<Lsn>> late;
  EXPECT_FALSE(sequencer_->SubmitQuietly(Scripted(PutBody("c", "3"), late)));
  EXPECT_EQ(late.get().error().code(), Code::kMoved);
}

TEST_F(SequencerTest, PositionsGoOnRisingAfterReopening) {
  ASSERT_TRUE(Run(PutBody("a", "1")).has_value());
  ASSERT_TRUE(Run(PutBody("a", "2")).has_value());
  Reopen();
  EXPECT_EQ(sequencer_->last_committed(), Lsn(2));
  EXPECT_EQ(*Run(PutBody("a", "3")), Lsn(3));
}

TEST_F(SequencerTest, TimesRiseStrictlyWhileTheClockStands) {
  Micros first{0};
  Micros second{0};
  ASSERT_TRUE(Run([&](GroupWriter& w) -> Status {
                first = w.now();
                w.Put("a", "1");
                return {};
              }).has_value());
  ASSERT_TRUE(Run([&](GroupWriter& w) -> Status {
                second = w.now();
                w.Put("a", "2");
                return {};
              }).has_value());
  EXPECT_LT(first, second);
}

TEST_F(SequencerTest, AFailedMutationLeavesNothingAndDisturbsNobody) {
  sequencer_->Pause();
  std::future<Result<Lsn>> good;
  std::future<Result<Lsn>> bad;
  std::future<Result<Lsn>> after;
  sequencer_->Submit(Scripted(PutBody("a", "good"), good));
  sequencer_->Submit(Scripted(
      [](GroupWriter& writer) -> Status {
        writer.Put("a", "bad");
        writer.Put("b", "bad");
        return Fail(Code::kPreconditionFailed, "no");
      },
      bad));
  sequencer_->Submit(Scripted(
      [](GroupWriter& writer) -> Status {
        ORRERY_ASSIGN(const auto a, writer.Get("a"));
        ORRERY_ASSIGN(const auto b, writer.Get("b"));
        if (a != "good" || b.has_value()) return Fail(Code::kInternal, "saw what was taken back");
        writer.Put("c", "after");
        return {};
      },
      after));
  sequencer_->Resume();
  EXPECT_TRUE(good.get().has_value());
  EXPECT_EQ(bad.get().error().code(), Code::kPreconditionFailed);
  EXPECT_TRUE(after.get().has_value());
  EXPECT_EQ(Stored("a"), "good");
  EXPECT_EQ(Stored("b"), "(none)");
  EXPECT_EQ(sequencer_->Stats().groups, 1U);
}

TEST_F(SequencerTest, AMutationThatWritesNothingTakesNoPosition) {
  ASSERT_TRUE(Run(PutBody("a", "1")).has_value());
  EXPECT_EQ(*Run([](GroupWriter&) -> Status { return {}; }), Lsn(1));
  EXPECT_EQ(*Run(PutBody("a", "2")), Lsn(2));
}

TEST_F(SequencerTest, ScanSeesStoredAndFreshEntriesInOrder) {
  ASSERT_TRUE(Run(PutBody("k1", "old")).has_value());
  ASSERT_TRUE(Run(PutBody("k3", "old")).has_value());
  ASSERT_TRUE(Run(PutBody("k5", "old")).has_value());
  std::string seen;
  ASSERT_TRUE(Run([&](GroupWriter& writer) -> Status {
                writer.Put("k2", "new");
                writer.Delete("k3");
                writer.Put("k5", "new");
                return writer.Scan("k", "l", 100,
                                   [&](std::string_view key, std::string_view value) {
                                     seen.append(key).append("=").append(value).append(" ");
                                     return true;
                                   });
              }).has_value());
  EXPECT_EQ(seen, "k1=old k2=new k5=new ");
}

TEST_F(SequencerTest, ScanStopsAtItsLimit) {
  const auto outcome = Run([&](GroupWriter& writer) -> Status {
    for (int i = 0; i < 10; ++i) writer.Put("k" + std::to_string(i), "");
    return writer.Scan("k", "l", 5, [](std::string_view, std::string_view) { return true; });
  });
  EXPECT_EQ(outcome.error().code(), Code::kTooLarge);
}

TEST_F(SequencerTest, AFullQueueRefusesAndSaysSo) {
  Reopen({.queue_max = 2});
  sequencer_->Pause();
  std::future<Result<Lsn>> outcomes[3];
  for (auto& outcome : outcomes) sequencer_->Submit(Scripted(PutBody("a", "1"), outcome));
  EXPECT_EQ(outcomes[2].get().error().code(), Code::kOverloaded);
  sequencer_->Resume();
  EXPECT_TRUE(outcomes[0].get().has_value());
  EXPECT_TRUE(outcomes[1].get().has_value());
}

TEST_F(SequencerTest, RetireHandsBackWhatWaits) {
  sequencer_->Pause();
  std::future<Result<Lsn>> waiting;
  sequencer_->Submit(Scripted(PutBody("a", "1"), waiting));
  sequencer_->Retire(Error(Code::kMoved, "split"));
  EXPECT_EQ(waiting.get().error().code(), Code::kMoved);
  EXPECT_EQ(Run(PutBody("b", "1")).error().code(), Code::kMoved);
  sequencer_->Resume();
  EXPECT_EQ(Stored("a"), "(none)");
}

// Many threads increment counters through the sequencer: a lost or doubled step shows in the sums.
TEST_F(SequencerTest, ConcurrentReadModifyWritesAreSerial) {
  constexpr int kThreads = 4;
  constexpr int kSteps = 250;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([this, t] {
      std::mt19937 random(t);
      for (int i = 0; i < kSteps; ++i) {
        const std::string key = "counter" + std::to_string(random() % 3);
        const auto done = Run([&](GroupWriter& writer) -> Status {
          ORRERY_ASSIGN(const auto value, writer.Get(key));
          writer.Put(key,
                     std::to_string(value.has_value() ? std::stoi(std::string(*value)) + 1 : 1));
          return {};
        });
        ASSERT_TRUE(done.has_value());
      }
    });
  }
  for (auto& thread : threads) thread.join();
  int sum = 0;
  for (int i = 0; i < 3; ++i) sum += std::stoi(Stored("counter" + std::to_string(i)));
  EXPECT_EQ(sum, kThreads * kSteps);
  EXPECT_EQ(sequencer_->last_committed(), Lsn(kThreads * kSteps));
}

TEST_F(SequencerTest, ItIsCompleteUntilATimeThatNoLaterWriteHas) {
  clock_.Advance(std::chrono::seconds(100));
  Micros first{0};
  ASSERT_TRUE(Run([&](GroupWriter& writer) -> Status {
                first = writer.now();
                writer.Put("k", "1");
                return {};
              }).has_value());
  const Micros idle = sequencer_->CompleteUntil();
  EXPECT_GE(idle, first);
  // The clock stands still: the next write is later all the same.
  Micros second{0};
  std::promise<void> evaluating;
  std::promise<void> go_on;
  std::future<Result<Lsn>> outcome;
  sequencer_->Submit(Scripted(
      [&](GroupWriter& writer) -> Status {
        second = writer.now();
        writer.Put("k", "2");
        evaluating.set_value();
        go_on.get_future().wait();
        return {};
      },
      outcome));
  evaluating.get_future().wait();
  // While it is being written nothing from its time on is complete.
  EXPECT_LT(sequencer_->CompleteUntil(), second);
  EXPECT_GE(sequencer_->CompleteUntil(), idle);
  go_on.set_value();
  ASSERT_TRUE(outcome.get().has_value());
  EXPECT_GT(second, idle);
  EXPECT_GE(sequencer_->CompleteUntil(), second);
}

}  // namespace
}  // namespace orrery::partition
