#include "storage/fault/slow_engines.h"

#include "base/has_code.h"
#include "storage/engine/engine_testing.h"

namespace orrery::storage {
namespace {

constexpr std::chrono::milliseconds kShortHoldUp{1};

TEST(SlowEnginesTest, OnlyThoseThatAreNamedAreSlow) {
  SlowEngines slow;
  EXPECT_FALSE(slow.any());
  slow.Set("/data/partitions/3", kShortHoldUp);
  EXPECT_TRUE(slow.any());
  EXPECT_FALSE(slow.HoldUp("/data/partitions/3", ReadMode::kCachedOnly));
  EXPECT_TRUE(slow.HoldUp("/data/partitions/3", ReadMode::kMayBlock));
  EXPECT_TRUE(slow.HoldUp("/data/partitions/33", ReadMode::kCachedOnly));
  slow.Set("/data/partitions/3", std::chrono::milliseconds(0));
  EXPECT_FALSE(slow.any());
  EXPECT_TRUE(slow.HoldUp("/data/partitions/3", ReadMode::kCachedOnly));
}

TEST(SlowEnginesTest, ReadsThatMayNotBlockSaySoAndOthersAreAnswered) {
  const TemporaryDirectory directory;
  EngineResources resources;
  auto opened = Engine::Open(resources, {.path = directory / "engine"});
  ASSERT_TRUE(opened.has_value());
  Engine& engine = **opened;
  ASSERT_TRUE(PutOne(engine, "a", "1").has_value());
  PinnedValue value;
  ASSERT_TRUE(engine.Get("a", value, ReadMode::kCachedOnly).has_value());

  SlowEnginesOf(resources).Set(engine.path(), kShortHoldUp);
  EXPECT_TRUE(HasCode(engine.Get("a", value, ReadMode::kCachedOnly), Code::kWouldBlock));
  const auto cached = engine.NewIterator({.mode = ReadMode::kCachedOnly});
  cached->SeekToFirst();
  EXPECT_FALSE(cached->Valid());
  EXPECT_TRUE(HasCode(cached->status(), Code::kWouldBlock));
  EXPECT_EQ(ContentOf(engine), (Content{{"a", "1"}}));
  EXPECT_TRUE(PutOne(engine, "b", "2").has_value());
  EXPECT_EQ(Read(engine, "b"), "2");

  SlowEnginesOf(resources).Set(engine.path(), std::chrono::milliseconds(0));
  EXPECT_TRUE(engine.Get("a", value, ReadMode::kCachedOnly).has_value());
}

}  // namespace
}  // namespace orrery::storage
