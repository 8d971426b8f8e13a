// Compares what blocking stages make in memory with what they make when it does not hold their
// rows.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "api/mongo/language/pipeline/group_plan.h"
#include "api/mongo/language/pipeline/pipeline.h"
#include "api/mongo/language/pipeline/stage.h"
#include "model/aggregate/partial_groups.h"
#include "model/document/json.h"

namespace orrery::mongo {
namespace {

constexpr size_t kAmple = size_t{1} << 30;
constexpr size_t kScarce = 4'000;

class LowerCase final : public Collator {
 public:
  std::string Key(std::string_view text) const override {
    std::string key(text);
    std::ranges::transform(key, key.begin(), [](unsigned char c) { return std::tolower(c); });
    return key;
  }
};

class StageSpillTest : public testing::Test {
 protected:
  StageSpillTest()
      : directory_(std::filesystem::path(testing::TempDir()) /
                   fmt::format("orrery-stage-spill-{}", getpid())) {
    space_ = *query::SpillSpace::Open(directory_.string());
  }
  ~StageSpillTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }

  static std::vector<Row> Documents() {
    std::vector<Row> rows;
    for (int n = 0; n < 600; ++n) {
      // Equal numbers of different kinds, strings that are equal under a collation, and nothing.
      const std::string key = n % 7 == 0   ? std::string("null")
                              : n % 3 == 0 ? fmt::format("{}.0", n % 50)
                              : n % 5 == 0 ? fmt::format("\"{}{}\"", n % 2 == 0 ? "k" : "K", n % 11)
                                           : std::to_string(n % 50);
      const std::string value = n % 4 == 0 ? "" : fmt::format(R"(, "v": {})", n * 37 % 101);
      rows.push_back(
          Row{*model::ParseJson(fmt::format(R"({{"_id": {}, "k": {}{}, "s": "{}"}})", n, key, value,
                                            std::string(static_cast<size_t>(n % 40), 'x')))});
    }
    return rows;
  }

  QueryContextPtr ContextWith(size_t memory, bool may_spill, bool is_collated = false) const {
    auto context = std::make_shared<QueryContext>();
    context->stage_memory_bytes_max = memory;
    context->spill = may_spill ? space_.get() : nullptr;
    if (is_collated) context->collator = std::make_shared<LowerCase>();
    return context;
  }

  // The rows, sorted, or the code of the error.
  static std::vector<std::string> Run(std::string_view stage, const QueryContextPtr& context) {
    auto pipeline = Pipeline::Parse({model::ParseJson(stage).value()}, context);
    EXPECT_TRUE(pipeline.has_value()) << stage;
    const auto source = (*pipeline)->Open(RowsOf(Documents()), nullptr);
    std::vector<std::string> texts;
    while (true) {
      auto row = source->Next();
      if (!row.has_value()) return {std::to_string(row.error().code)};
      if (!row->has_value()) break;
      texts.push_back(model::ToJson((*row)->document));
    }
    std::ranges::sort(texts);
    return texts;
  }

  static constexpr std::string_view kStages[] = {
      R"({"$group": {"_id": "$k", "n": {"$sum": 1}, "all": {"$push": "$v"}, "f": {"$first": "$_id"}}})",
      R"({"$group": {"_id": "$_id", "n": {"$sum": "$v"}}})",
      R"({"$group": {"_id": {"k": "$k", "v": "$v"}, "last": {"$last": "$s"}, "set": {"$addToSet": "$v"}}})",
      R"({"$group": {"_id": "$k", "avg": {"$avg": "$v"}, "top": {"$topN": {"n": 2, "sortBy": {"v": -1, "_id": 1}, "output": ["$v", "$_id"]}}}})",
      R"({"$group": {"_id": null, "all": {"$push": {"v": "$v", "s": "$s"}}}})",
      R"({"$setWindowFields": {"partitionBy": {"$mod": ["$_id", 50]}, "sortBy": {"v": 1}, "output": {"r": {"$documentNumber": {}}, "sum": {"$sum": "$v", "window": {"documents": [-2, 0]}}}}})",
  };

  const std::filesystem::path directory_;
  std::unique_ptr<query::SpillSpace> space_;
};

TEST_F(StageSpillTest, FilesMakeTheRowsOfMemory) {
  for (const std::string_view stage : kStages) {
    for (const bool is_collated : {false, true}) {
      const auto expected = Run(stage, ContextWith(kAmple, false, is_collated));
      EXPECT_GT(expected.size(), 0U);
      EXPECT_EQ(Run(stage, ContextWith(kScarce, true, is_collated)), expected) << stage;
    }
  }
}

TEST_F(StageSpillTest, WithoutFilesTheyFail) {
  for (const std::string_view stage : kStages)
    EXPECT_EQ(Run(stage, ContextWith(kScarce, false)), std::vector<std::string>{"292"}) << stage;
}

TEST_F(StageSpillTest, OnePartitionOfWindowsStaysInMemory) {
  EXPECT_EQ(
      Run(R"({"$setWindowFields": {"output": {"n": {"$sum": 1}}}})", ContextWith(kScarce, true)),
      std::vector<std::string>{"292"});
}

TEST_F(StageSpillTest, PartialGroupsAreMergedInFiles) {
  constexpr std::string_view kGroup =
      R"({"$group": {"_id": "$k", "n": {"$sum": "$v"}, "most": {"$max": "$v"}, "mean": {"$avg": "$v"}}})";
  const auto merged = [&](const QueryContextPtr& context) -> std::vector<std::string> {
    auto pipeline = Pipeline::Parse({model::ParseJson(kGroup).value()}, context);
    EXPECT_TRUE(pipeline.has_value());
    const GroupPlanPtr plan = (*pipeline)->prefix().group;
    EXPECT_NE(plan, nullptr);
    GroupMerge merge(plan, context);
    const std::vector<Row> rows = Documents();
    // Owners with 20 documents each.
    for (size_t begin = 0; begin < rows.size(); begin += 20) {
      model::PartialGroups owner(plan->grouping);
      for (size_t i = begin; i < std::min(begin + 20, rows.size()); ++i)
        EXPECT_TRUE(owner.Add(rows[i].document).has_value());
      for (size_t i = 0; i < owner.size(); ++i) {
        const Outcome added = merge.Add(owner.Encode(i));
        if (!added.has_value()) return {std::to_string(added.error().code)};
      }
    }
    EXPECT_TRUE(merge.Finish().has_value());
    std::vector<std::string> texts;
    while (true) {
      auto row = merge.Next();
      EXPECT_TRUE(row.has_value());
      if (!row.has_value() || !row->has_value()) break;
      texts.push_back(model::ToJson((*row)->document));
    }
    std::ranges::sort(texts);
    return texts;
  };
  const auto expected = merged(ContextWith(kAmple, false));
  EXPECT_GT(expected.size(), 40U);
  EXPECT_EQ(merged(ContextWith(kScarce, true)), expected);
  EXPECT_EQ(merged(ContextWith(kScarce, false)), std::vector<std::string>{"292"});
}

}  // namespace
}  // namespace orrery::mongo
