// PinLog and ReadUpdatesSince.
#include "storage/engine/engine_testing.h"

namespace orrery::storage {
namespace {

class EngineLogTest : public EngineTest {
 protected:
  // A second engine that follows the first by its log.
  Result<uint64_t> Follow(uint64_t since) {
    return leader_->ReadUpdatesSince(since, [this](Batch& batch) {
      ++batches_;
      return follower_->Write(batch, Durability::kOs);
    });
  }

  std::unique_ptr<Engine> leader_ = Open({.path = directory_ / "leader"});
  std::unique_ptr<Engine> follower_ = Open({.path = directory_ / "follower"});
  int batches_ = 0;
};

TEST_F(EngineLogTest, ReadsEveryBatchAfterAPosition) {
  ASSERT_OK(PutOne(*leader_, "before", "0"));
  const uint64_t start = leader_->LatestSequence();
  Batch batch;
  batch.Put("a", "1");
  batch.Put("b", "2");
  batch.DeleteRange("x", "y");
  ASSERT_OK(leader_->Write(batch, Durability::kOs));
  batch.Clear();
  batch.Delete("a");
  ASSERT_OK(leader_->Write(batch, Durability::kDurable));
  const Result<uint64_t> end = Follow(start);
  ASSERT_OK(end);
  EXPECT_EQ(*end, leader_->LatestSequence());
  EXPECT_EQ(batches_, 2);
  EXPECT_EQ(ContentOf(*follower_), (Content{{"b", "2"}}));
  EXPECT_EQ(*Follow(*end), *end);
  EXPECT_EQ(batches_, 2);
}

TEST_F(EngineLogTest, APinKeepsTheLogAcrossFlushes) {
  const uint64_t start = leader_->LatestSequence();
  auto outer = leader_->PinLog();
  for (int round = 0; round < 3; ++round) {
    auto inner = leader_->PinLog();  // pins nest
    ASSERT_OK(PutOne(*leader_, "k" + std::to_string(round), "v"));
    ASSERT_OK(leader_->Flush());
    ASSERT_OK(leader_->Compact("", ""));
  }
  ASSERT_OK(Follow(start));
  EXPECT_EQ(ContentOf(*follower_), ContentOf(*leader_));
  outer.reset();
  ASSERT_OK(PutOne(*leader_, "after", "v"));
  ASSERT_OK(leader_->Flush());
  EXPECT_EQ(CodeOf(Follow(start)), Code::kNotFound);
}

TEST_F(EngineLogTest, AGapIsFoundNotSkipped) {
  const uint64_t start = leader_->LatestSequence();
  ASSERT_OK(PutOne(*leader_, "a", "1"));
  ASSERT_OK(leader_->Flush());  // the log of "a" goes
  ASSERT_OK(PutOne(*leader_, "b", "2"));
  EXPECT_EQ(CodeOf(Follow(start)), Code::kNotFound);
  EXPECT_EQ(batches_, 0);
  ASSERT_OK(leader_->Flush());
  EXPECT_EQ(CodeOf(Follow(start)), Code::kNotFound);
}

TEST_F(EngineLogTest, WrongPositionsAreRefused) {
  const uint64_t start = leader_->LatestSequence();
  Batch batch;
  batch.Put("a", "1");
  batch.Put("b", "2");
  ASSERT_OK(leader_->Write(batch, Durability::kOs));
  EXPECT_EQ(CodeOf(Follow(start + 1)), Code::kInvalidArgument);
  EXPECT_EQ(CodeOf(Follow(start + 100)), Code::kInvalidArgument);
}

TEST_F(EngineLogTest, AnErrorOfTheReaderEndsTheReading) {
  const uint64_t start = leader_->LatestSequence();
  for (int i = 0; i < 3; ++i) ASSERT_OK(PutOne(*leader_, "k", "v"));
  int calls = 0;
  const auto result = leader_->ReadUpdatesSince(start, [&calls](Batch&) -> Status {
    if (++calls == 2) return Fail(Code::kCancelled, "enough");
    return {};
  });
  EXPECT_EQ(CodeOf(result), Code::kCancelled);
  EXPECT_EQ(calls, 2);
}

}  // namespace
}  // namespace orrery::storage
