#include "api/cassandra/executor/read/paging_state.h"

#include <gtest/gtest.h>

namespace orrery::cassandra {
namespace {

PagingState Full() {
  PagingState state;
  state.statement = 77;
  state.position = {3, "next"};
  state.mark = RowMark{{1, 2}, "key", "clustering"};
  state.left = 9;
  state.partition = "key";
  state.partition_rows = 4;
  return state;
}

TEST(PagingState, ComesBackAsItWas) {
  for (int without = 0; without < 4; ++without) {
    PagingState state = Full();
    if (without == 1) state.mark.reset();
    if (without == 2) state.mark->clustering.reset();
    if (without == 3) state.partition.clear(), state.partition_rows = 0, state.left.reset();
    const auto decoded = DecodePagingState(EncodePagingState(state), 77);
    ASSERT_TRUE(decoded.has_value());
    EXPECT_EQ(*decoded, state);
  }
}

TEST(PagingState, OfAnotherStatementIsRefused) {
  const auto decoded = DecodePagingState(EncodePagingState(Full()), 78);
  ASSERT_FALSE(decoded.has_value());
  EXPECT_EQ(decoded.error().code, ErrorCode::kProtocolError);
  EXPECT_EQ(decoded.error().message, "Invalid value for the paging state");
}

TEST(PagingState, DamageIsFound) {
  const std::string bytes = EncodePagingState(Full());
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    EXPECT_FALSE(DecodePagingState(damaged, 77).has_value()) << i;
    EXPECT_FALSE(DecodePagingState(bytes.substr(0, i), 77).has_value()) << i;
  }
}

}  // namespace
}  // namespace orrery::cassandra
