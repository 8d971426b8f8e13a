#include "storage/rules.h"

#include <atomic>
#include <stdexcept>

#include "storage/engine/engine_testing.h"

namespace orrery::storage {
namespace {

using RulesTest = EngineTest;

class DropOld final : public KeepRule {
 public:
  Fate Decide(std::string_view /*key*/, std::string_view value, std::string& rest) const override {
    if (value == "throw") throw std::runtime_error("a bug");
    if (value != "half old") return value == "old" ? Fate::kGoes : Fate::kStays;
    rest = "half";
    return Fate::kShrinks;
  }
};

TEST_F(RulesTest, CompactionDropsWhatTheRuleDoesNotKeep) {
  const DropOld rule;
  auto engine = Open({.keep_rule = &rule});
  ASSERT_OK(PutOne(*engine, "a", "old"));
  ASSERT_OK(PutOne(*engine, "b", "young"));
  ASSERT_OK(PutOne(*engine, "c", "throw"));
  ASSERT_OK(PutOne(*engine, "d", "half old"));
  ASSERT_OK(engine->Flush());
  EXPECT_EQ(ContentOf(*engine).size(), 4u);
  ASSERT_OK(engine->Compact("", ""));
  EXPECT_EQ(ContentOf(*engine), (Content{{"b", "young"}, {"c", "throw"}, {"d", "half"}}));
}

TEST_F(RulesTest, DroppingAVersionDoesNotBringBackAnOlderOne) {
  const DropOld rule;
  auto engine = Open({.keep_rule = &rule});
  ASSERT_OK(PutOne(*engine, "a", "young"));
  ASSERT_OK(engine->Compact("", ""));
  ASSERT_OK(PutOne(*engine, "a", "old"));
  ASSERT_OK(engine->Compact("", ""));
  EXPECT_EQ(Read(*engine, "a"), std::nullopt);
}

TEST_F(RulesTest, MergesAddUpInMemoryOnDiskAndAcrossReopening) {
  const SumRule rule;
  auto engine = Open({.merge_rule = &rule});
  ASSERT_OK(PutOne(*engine, "sum", "100"));
  for (int i = 1; i <= 30; ++i) {
    Batch batch;
    batch.Merge("sum", "1");
    batch.Merge("fresh", "2");
    ASSERT_OK(engine->Write(batch, Durability::kOs));
    if (i % 7 == 0) ASSERT_OK(engine->Flush());
    EXPECT_EQ(Read(*engine, "sum"), std::to_string(100 + i));
  }
  ASSERT_OK(engine->Compact("", ""));
  engine.reset();
  engine = Open({.merge_rule = &rule});
  EXPECT_EQ(ContentOf(*engine), (Content{{"sum", "130"}, {"fresh", "60"}}));
}

TEST_F(RulesTest, AMergeThatCannotBeUnderstoodIsCorruption) {
  const SumRule rule;
  auto engine = Open({.merge_rule = &rule});
  Batch batch;
  batch.Merge("sum", "not a number");
  ASSERT_OK(engine->Write(batch, Durability::kOs));
  PinnedValue value;
  EXPECT_EQ(CodeOf(engine->Get("sum", value)), Code::kCorruption);
  const auto it = engine->NewIterator({});
  it->SeekToFirst();
  EXPECT_EQ(CodeOf(it->status()), Code::kCorruption);
}

class ThrowingMerge final : public MergeRule {
 public:
  bool Merge(std::string_view, std::optional<std::string_view>,
             const std::vector<std::string_view>&, bool, std::string&) const override {
    throw std::runtime_error("a bug");
  }
};

TEST_F(RulesTest, AThrowingMergeIsCorruptionToo) {
  const ThrowingMerge rule;
  auto engine = Open({.merge_rule = &rule});
  Batch batch;
  batch.Merge("a", "1");
  batch.Merge("a", "1");
  ASSERT_OK(engine->Write(batch, Durability::kOs));
  PinnedValue value;
  EXPECT_EQ(CodeOf(engine->Get("a", value)), Code::kCorruption);
}

}  // namespace
}  // namespace orrery::storage
