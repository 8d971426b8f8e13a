#include "api/table/query/key_ranges.h"

#include <gtest/gtest.h>

#include "api/table/filter/filter_parser.h"

namespace orrery::table {
namespace {

KeyRanges Of(std::string_view text) {
  const auto filter = ParseFilter(text);
  EXPECT_TRUE(filter.has_value()) << text;
  return KeyRanges::Allowed(filter->get(), "PartitionKey");
}

bool Contains(const KeyRanges& ranges, std::string_view key) {
  for (const KeyInterval& interval : ranges.intervals())
    if (interval.Contains(key)) return true;
  return false;
}

TEST(KeyRanges, SingleKeys) {
  EXPECT_EQ(Of("PartitionKey eq 'a'").single(), "a");
  EXPECT_EQ(Of("'a' eq PartitionKey and n gt 5").single(), "a");
  EXPECT_EQ(Of("PartitionKey ge 'a' and PartitionKey le 'a'").single(), "a");
  EXPECT_EQ(Of("PartitionKey eq ''").single(), "");
  EXPECT_EQ(Of("PartitionKey gt 'a'").single(), std::nullopt);
}

TEST(KeyRanges, UnionsAndIntersections) {
  const KeyRanges two = Of("PartitionKey eq 'c' or PartitionKey eq 'a'");
  EXPECT_EQ(two.intervals().size(), 2u);
  EXPECT_TRUE(Contains(two, "a") && Contains(two, "c") && !Contains(two, "b"));
  const KeyRanges between = Of("PartitionKey gt 'a' and PartitionKey le 'c'");
  EXPECT_TRUE(!Contains(between, "a") && Contains(between, "aa") && Contains(between, "c") &&
              !Contains(between, "ca"));
  EXPECT_EQ(Of("PartitionKey lt 'c' or PartitionKey ge 'b'"), KeyRanges::All());
}

TEST(KeyRanges, NothingIsLeftOutThatTheFilterMayWant) {
  EXPECT_EQ(Of("PartitionKey eq 'a' or n eq 5"), KeyRanges::All());
  EXPECT_EQ(Of("not (PartitionKey eq 'a')"), KeyRanges::All());
  EXPECT_EQ(Of("PartitionKey ne 'a'"), KeyRanges::All());
  EXPECT_TRUE(Of("PartitionKey eq 5").empty());
  EXPECT_TRUE(Of("PartitionKey eq 'a' and PartitionKey eq 'b'").empty());
}

TEST(KeyRanges, Scopes) {
  EXPECT_TRUE(Contains(KeyRanges::Between("a", "b"), "b"));
  EXPECT_FALSE(Contains(KeyRanges::Between("a", "b"), "ba"));
  EXPECT_TRUE(KeyRanges::Between("b", "a").empty());
  EXPECT_EQ(KeyRanges::Between(std::nullopt, std::nullopt), KeyRanges::All());
}

}  // namespace
}  // namespace orrery::table
