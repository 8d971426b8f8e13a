#include "api/cassandra/planner/restriction/clustering_range.h"

#include <gtest/gtest.h>

#include <random>

#include "api/cassandra/types/native/fixed_size.h"
#include "api/cassandra/types/type_builder.h"

namespace orrery::cassandra {
namespace {

using testing::Int;

std::vector<Column> Columns(std::vector<bool> descending) {
  std::vector<Column> columns;
  for (size_t i = 0; i < descending.size(); ++i) {
    Column& column = columns.emplace_back();
    column.type = Int();
    column.kind = ColumnKind::kClustering;
    column.position = static_cast<uint32_t>(i);
    column.descending = descending[i];
  }
  return columns;
}

std::string KeyOf(const std::vector<Column>& columns, const std::vector<int32_t>& values) {
  std::string key;
  for (size_t i = 0; i < values.size(); ++i)
    EXPECT_TRUE(AppendClustering(key, columns[i], EncodeInteger(values[i])).has_value());
  return key;
}

TupleBound Bound(const std::vector<int32_t>& values, bool is_lower, bool inclusive) {
  TupleBound bound;
  for (const int32_t value : values) bound.values.push_back(EncodeInteger(value));
  bound.is_lower = is_lower;
  bound.inclusive = inclusive;
  return bound;
}

bool Contains(const std::vector<ClusteringRange>& ranges, const std::string& key) {
  return std::ranges::any_of(ranges, [&](const auto& range) { return range.Contains(key); });
}

TEST(ClusteringRange, OneDirectionNeedsOneRange) {
  const auto columns = Columns({false, false});
  const auto ranges = RowsBeyond("", columns, Bound({1, 2}, true, false));
  ASSERT_TRUE(ranges.has_value());
  EXPECT_EQ(ranges->size(), 1u);
}

TEST(ClusteringRange, MixedDirectionsNeedSeveral) {
  const auto columns = Columns({false, true});
  const auto ranges = RowsBeyond("", columns, Bound({1, 2}, true, false));
  ASSERT_TRUE(ranges.has_value());
  EXPECT_EQ(ranges->size(), 2u);
}

TEST(ClusteringRange, RowsStayRows) {
  const auto columns = Columns({false});
  std::vector<ClusteringRange> ranges;
  for (const int32_t value : {2, 1, 2, 3})
    ranges.push_back(RowsOf(KeyOf(columns, {value}), /*is_whole_key=*/true));
  ranges = Normalise(std::move(ranges));
  ASSERT_EQ(ranges.size(), 3u);
  for (const ClusteringRange& range : ranges) EXPECT_TRUE(range.is_row);
  EXPECT_EQ(ranges[0].lower, KeyOf(columns, {1}));
}

TEST(ClusteringRange, NothingIsBetweenBoundsTheWrongWayRound) {
  const auto columns = Columns({false});
  const auto above = RowsBeyond("", columns, Bound({5}, true, false));
  const auto below = RowsBeyond("", columns, Bound({5}, false, false));
  ASSERT_TRUE(above.has_value() && below.has_value());
  EXPECT_TRUE(Intersect(*above, *below).empty());
}

// Tuples compare as the columns' values do, whatever the directions.
TEST(ClusteringRange, BoundsMeanWhatTuplesMean) {
  constexpr uint64_t kSeed = 20'240'817;
  SCOPED_TRACE(kSeed);
  std::mt19937_64 random(kSeed);
  const auto below = [&random](int32_t limit) {
    return static_cast<int32_t>(random() % static_cast<uint64_t>(limit));
  };
  for (int round = 0; round < 300; ++round) {
    const auto columns = Columns({below(2) != 0, below(2) != 0, below(2) != 0});
    const auto tuple = [&](int32_t size) {
      std::vector<int32_t> values;
      for (int32_t i = 0; i < size; ++i) values.push_back(below(3));
      return values;
    };
    const auto lower = tuple(1 + below(3));
    const auto upper = tuple(1 + below(3));
    const bool lower_inclusive = below(2) != 0;
    const bool upper_inclusive = below(2) != 0;
    const auto above = RowsBeyond("", columns, Bound(lower, true, lower_inclusive));
    const auto under = RowsBeyond("", columns, Bound(upper, false, upper_inclusive));
    ASSERT_TRUE(above.has_value() && under.has_value());
    const auto both = Intersect(*above, *under);
    for (int32_t code = 0; code < 27; ++code) {
      const std::vector<int32_t> row = {code / 9, code / 3 % 3, code % 3};
      const auto prefix = [&](const std::vector<int32_t>& bound) {
        return std::vector<int32_t>(row.begin(),
                                    row.begin() + static_cast<ptrdiff_t>(bound.size()));
      };
      const bool is_above = lower_inclusive ? prefix(lower) >= lower : prefix(lower) > lower;
      const bool is_under = upper_inclusive ? prefix(upper) <= upper : prefix(upper) < upper;
      EXPECT_EQ(Contains(both, KeyOf(columns, row)), is_above && is_under)
          << "round " << round << " row " << code;
    }
  }
}

}  // namespace
}  // namespace orrery::cassandra
