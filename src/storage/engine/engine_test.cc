#include "storage/engine/engine.h"

#include "storage/engine/engine_testing.h"

namespace orrery::storage {
namespace {

TEST_F(EngineTest, WhatIsWrittenIsReadBackAlsoAfterReopening) {
  auto engine = Open();
  Batch batch;
  batch.Put("a", "1");
  batch.Put("b", std::string("\0\xff", 2));
  batch.Put("c", "");
  ASSERT_OK(engine->Write(batch, Durability::kDurable));
  batch.Clear();
  batch.Delete("a");
  ASSERT_OK(engine->Write(batch, Durability::kOs));
  engine.reset();
  engine = Open();
  EXPECT_EQ(Read(*engine, "a"), std::nullopt);
  EXPECT_EQ(Read(*engine, "b"), std::string("\0\xff", 2));
  EXPECT_EQ(Read(*engine, "c"), "");
}

TEST_F(EngineTest, AnEmptyBatchTakesNoPosition) {
  auto engine = Open();
  const uint64_t before = engine->LatestSequence();
  Batch batch;
  ASSERT_OK(engine->Write(batch, Durability::kDurable));
  EXPECT_EQ(engine->LatestSequence(), before);
}

TEST_F(EngineTest, SavePointsTakeBackTheLastPart) {
  auto engine = Open();
  Batch batch;
  batch.Put("kept", "1");
  batch.SetSavePoint();
  batch.Put("gone", "2");
  EXPECT_EQ(batch.count(), 2u);
  batch.RollbackToSavePoint();
  batch.SetSavePoint();
  batch.Put("kept too", "3");
  batch.PopSavePoint();
  ASSERT_OK(engine->Write(batch, Durability::kOs));
  EXPECT_EQ(ContentOf(*engine), (Content{{"kept", "1"}, {"kept too", "3"}}));
}

TEST_F(EngineTest, DeleteRangeTakesTheBeginAndLeavesTheEnd) {
  auto engine = Open();
  Batch batch;
  for (const char* key : {"a", "b", "c", "d"}) batch.Put(key, "x");
  batch.DeleteRange("b", "d");
  batch.DeleteRange("d", "d");  // empty and reversed ranges are nothing
  batch.DeleteRange("z", "a");
  ASSERT_OK(engine->Write(batch, Durability::kDurable));
  EXPECT_EQ(ContentOf(*engine), (Content{{"a", "x"}, {"d", "x"}}));
  engine.reset();
  EXPECT_EQ(ContentOf(*Open()), (Content{{"a", "x"}, {"d", "x"}}));
}

TEST_F(EngineTest, ASnapshotStandsStill) {
  auto engine = Open();
  ASSERT_OK(PutOne(*engine, "k", "old"));
  const auto snapshot = engine->TakeSnapshot();
  ASSERT_OK(PutOne(*engine, "k", "new"));
  ASSERT_OK(PutOne(*engine, "l", "new"));
  EXPECT_EQ(Read(*engine, "k", snapshot.get()), "old");
  EXPECT_EQ(Read(*engine, "k"), "new");
  EXPECT_EQ(ContentOf(*engine, {.snapshot = snapshot.get()}), (Content{{"k", "old"}}));
  EXPECT_EQ(snapshot->sequence() + 2, engine->LatestSequence());
}

TEST_F(EngineTest, IteratorsKeepWithinTheirBounds) {
  auto engine = Open();
  Batch batch;
  for (const char* key : {"a", "b", "c", "d", "e"}) batch.Put(key, key);
  ASSERT_OK(engine->Write(batch, Durability::kOs));
  const auto it = engine->NewIterator({.lower = "b", .upper = "e"});
  it->SeekToFirst();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key(), "b");
  it->SeekToLast();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key(), "d");
  it->Next();
  EXPECT_FALSE(it->Valid());
  EXPECT_TRUE(it->status().has_value());
  it->Seek("a");
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key(), "b");
  it->SeekForPrev("cc");
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->value(), "c");
  it->Prev();
  it->Prev();
  EXPECT_FALSE(it->Valid());
}

TEST_F(EngineTest, ACachedOnlyReadRefusesToTouchTheDisk) {
  auto engine = Open();
  ASSERT_OK(PutOne(*engine, "k", "v"));
  ASSERT_OK(engine->Flush());
  engine.reset();
  engine = Open();
  PinnedValue value;
  EXPECT_EQ(CodeOf(engine->Get("k", value, ReadMode::kCachedOnly)), Code::kWouldBlock);
  EXPECT_EQ(value.view(), "");
  const auto it = engine->NewIterator({.mode = ReadMode::kCachedOnly});
  it->SeekToFirst();
  ASSERT_FALSE(it->Valid());
  EXPECT_EQ(CodeOf(it->status()), Code::kWouldBlock);

  EXPECT_EQ(Read(*engine, "k"), "v");
  const Result<bool> again = engine->Get("k", value, ReadMode::kCachedOnly);
  ASSERT_OK(again);
  EXPECT_TRUE(*again);
  EXPECT_EQ(value.view(), "v");
}

TEST_F(EngineTest, PinnedValuesMoveAndAreReused) {
  auto engine = Open();
  ASSERT_OK(PutOne(*engine, "flushed", std::string(500, 'f')));
  ASSERT_OK(engine->Flush());
  ASSERT_OK(PutOne(*engine, "fresh", std::string(500, 'm')));
  for (const auto& [key, byte] : {std::pair{"flushed", 'f'}, std::pair{"fresh", 'm'}}) {
    PinnedValue value;
    ASSERT_OK(engine->Get(key, value));
    PinnedValue moved = std::move(value);
    EXPECT_EQ(value.view(), "");
    EXPECT_EQ(moved.view(), std::string(500, byte));
    ASSERT_OK(engine->Get("none", value));
    EXPECT_EQ(value.view(), "");
    value = std::move(moved);
    EXPECT_EQ(value.view(), std::string(500, byte));
    ASSERT_OK(engine->Get("flushed", value));
    EXPECT_EQ(value.view(), std::string(500, 'f'));
  }
}

TEST_F(EngineTest, StatsAndEstimatesFollowTheData) {
  auto engine = Open();
  Batch batch;
  for (int i = 0; i < 1000; ++i) batch.Put("key" + std::to_string(i), std::string(1000, 'v'));
  ASSERT_OK(engine->Write(batch, Durability::kOs));
  EXPECT_GT(engine->Stats().memtable_bytes, 900'000u);
  EXPECT_GT(resources_.memtable_used(), 900'000u);
  EXPECT_GT(engine->ApproximateBytes("key", "kez"), 100'000u);
  ASSERT_OK(engine->Flush());
  const EngineStats stats = engine->Stats();
  EXPECT_EQ(stats.table_files, 1u);
  EXPECT_EQ(stats.key_count, 1000u);
  EXPECT_GT(stats.disk_bytes, 900'000u);
  EXPECT_GT(stats.live_bytes, 900'000u);
  EXPECT_FALSE(stats.write_stopped);
  EXPECT_GT(engine->ApproximateBytes("key", "kez"), 900'000u);
  EXPECT_EQ(engine->ApproximateBytes("x", "y"), 0u);
  ContentOf(*engine);
  EXPECT_GT(resources_.block_cache_used(), 900'000u);
}

TEST_F(EngineTest, ManyBusyEnginesShareOneMemtableBudget) {
  // Ten engines fill their memtables far beyond the common budget. Those that fell idle must give
  // way to the busy one, else it would wait for ever.
  constexpr size_t kBudget = 4 << 20;
  EngineResources small({.memtable_bytes_max = kBudget});
  std::vector<std::unique_ptr<Engine>> engines;
  for (int i = 0; i < 10; ++i) {
    engines.push_back(*Engine::Open(small, {.path = directory_ / std::to_string(i)}));
    for (int j = 0; j < 20; ++j) {
      ASSERT_OK(
          PutOne(*engines.back(), std::to_string(j), std::string(100'000, 'x'), Durability::kOs));
      EXPECT_LT(small.memtable_used(), 2 * kBudget);
    }
  }
  EXPECT_GT(engines.front()->Stats().table_files, 0u);
  for (const auto& engine : engines) EXPECT_EQ(ContentOf(*engine).size(), 20u);
}

}  // namespace
}  // namespace orrery::storage
