#include "cql/load/row_maker.h"

#include <gtest/gtest.h>

namespace orrery::bench {
namespace {

TEST(RowMakerTest, RowsFollowFromTheirNumbers) {
  const RowMaker one(100), two(100);
  std::string key = "something longer than any key of ours";
  RowMaker::MakeKey(42, key);
  EXPECT_EQ(key, "key-000000000042");
  for (const uint64_t number : {0ull, 1ull, 65'535ull, 65'536ull, 999'999'999ull}) {
    EXPECT_EQ(one.Value(number).size(), 100u);
    EXPECT_EQ(one.Value(number), two.Value(number));
  }
  EXPECT_NE(one.Value(1), one.Value(2));
}

}  // namespace
}  // namespace orrery::bench
