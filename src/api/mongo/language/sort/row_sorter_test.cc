#include "api/mongo/language/sort/row_sorter.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "model/document/json.h"

namespace orrery::mongo {
namespace {

class RowSorterTest : public testing::Test {
 protected:
  RowSorterTest()
      : directory_(std::filesystem::path(testing::TempDir()) /
                   fmt::format("orrery-row-sorter-{}", getpid())) {
    space_ = *query::SpillSpace::Open(directory_.string());
  }
  ~RowSorterTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }

  class Numbers final : public RowSource {
   public:
    Answer<std::optional<Row>> Next() override {
      if (next_ == 500) return std::nullopt;
      const int number = next_++;
      return Row{.document =
                     *model::ParseJson(fmt::format(R"({{"_id": {}, "a": {}, "b": "{}"}})", number,
                                                   number * 7 % 50, std::string(50, 'x')))};
    }

   private:
    int next_ = 0;
  };

  // The ids of the sorted rows, or the error's code.
  std::string Sorted(size_t memory, bool may_spill, std::optional<uint64_t> first = std::nullopt) {
    auto context = std::make_shared<QueryContext>();
    context->stage_memory_bytes_max = memory;
    context->spill = may_spill ? space_.get() : nullptr;
    auto pattern = SortPattern::Parse(*model::ParseJson(R"({"a": -1})"));
    RowSorter sorter(std::make_unique<Numbers>(), *std::move(pattern), context, first);
    std::string ids;
    for (uint64_t i = 0; !first.has_value() || i < *first; ++i) {
      auto row = sorter.Next();
      if (!row.has_value()) return std::to_string(row.error().code);
      if (!row->has_value()) break;
      ids += std::to_string((*row)->document.view().Get("_id").AsInteger()) + " ";
    }
    return ids;
  }

  const std::filesystem::path directory_;
  std::unique_ptr<query::SpillSpace> space_;
};

TEST_F(RowSorterTest, FilesGiveTheOrderOfMemory) {
  const std::string expected = Sorted(size_t{1} << 30, false);
  EXPECT_TRUE(expected.starts_with("7 57 107 "));
  EXPECT_EQ(Sorted(2'000, true), expected);
  EXPECT_EQ(Sorted(40'000, true), expected);
  EXPECT_EQ(space_->bytes(), 0u);
}

TEST_F(RowSorterTest, WithoutFilesMemoryIsTheLimit) {
  EXPECT_EQ(Sorted(2'000, false), "292");
  EXPECT_EQ(Sorted(2'000, false, 3), "7 57 107 ");  // of a few rows only these are kept
  EXPECT_EQ(Sorted(100, true, 3), "7 57 107 ");
}

}  // namespace
}  // namespace orrery::mongo
