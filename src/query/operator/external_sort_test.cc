#include "query/operator/external_sort.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

namespace orrery::query {
namespace {

class ExternalSortTest : public testing::Test {
 protected:
  ExternalSortTest()
      : directory_(std::filesystem::path(testing::TempDir()) /
                   fmt::format("orrery-spill-{}", getpid())) {}
  ~ExternalSortTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }
  std::unique_ptr<SpillSpace> Open(uint64_t bytes_max = SpillSpace::kBytesMax) {
    auto space = SpillSpace::Open(directory_.string(), bytes_max);
    EXPECT_TRUE(space.has_value());
    return *std::move(space);
  }

  const std::filesystem::path directory_;
};

TEST_F(ExternalSortTest, OrdersWithAndWithoutRuns) {
  const auto space = Open();
  for (const size_t memory : {size_t{1} << 30, size_t{20'000}, size_t{200}}) {
    ExternalSort sort(*space, memory);
    std::mt19937 random(7);
    std::vector<std::string> keys;
    for (int i = 0; i < 3'000; ++i) {
      keys.push_back(fmt::format("{:05}", random() % 1'000));
      ASSERT_TRUE(sort.Add(keys.back(), fmt::format("{} {:05}", keys.back(), i)).has_value());
    }
    ASSERT_TRUE(sort.Finish().has_value());
    EXPECT_EQ(sort.runs() > 0, memory < 1'000'000);
    EXPECT_LE(sort.runs(), ExternalSort::kRunsMax);
    std::string last;
    std::string value;
    for (int i = 0; i < 3'000; ++i) {
      const auto next = sort.Next(value);
      ASSERT_TRUE(next.has_value() && *next);
      EXPECT_LT(last, value);  // also ties, in the order of adding
      last = value;
    }
    EXPECT_EQ(sort.Next(value), false);
  }
  EXPECT_EQ(space->bytes(), 0u);
}

TEST_F(ExternalSortTest, RecordsOfAnySizeComeBack) {
  const auto space = Open();
  const auto file = space->Create();
  ASSERT_TRUE(file.has_value());
  const std::string large(size_t{3} << 20, 'x');
  for (const std::string_view record :
       {std::string_view(), std::string_view("a"), std::string_view(large), std::string_view("b")})
    ASSERT_TRUE((*file)->Append(record).has_value());
  ASSERT_TRUE((*file)->Rewind().has_value());
  std::string record;
  for (const std::string_view expected : {std::string_view(), std::string_view("a"),
                                          std::string_view(large), std::string_view("b")}) {
    ASSERT_EQ((*file)->Next(record), true);
    EXPECT_EQ(record, expected);
  }
  EXPECT_EQ((*file)->Next(record), false);
}

TEST_F(ExternalSortTest, TheSpaceIsBoundedAndEmptyAtFirst) {
  std::filesystem::create_directories(directory_);
  std::ofstream(directory_ / "spill-left").put('x');
  const auto space = Open(1'000);
  EXPECT_TRUE(std::filesystem::is_empty(directory_));
  ExternalSort sort(*space, 100);
  Status added;
  for (int i = 0; i < 1'000 && added.has_value(); ++i) added = sort.Add("key", "value");
  ASSERT_FALSE(added.has_value());
  EXPECT_EQ(added.error().code(), Code::kResourceExhausted);
  EXPECT_TRUE(std::filesystem::is_empty(directory_));
}

}  // namespace
}  // namespace orrery::query
