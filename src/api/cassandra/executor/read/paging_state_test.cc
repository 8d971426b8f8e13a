#include "api/cassandra/executor/read/paging_state.h"

#include <gtest/gtest.h>

#include "base/bytes.h"
#include "base/murmur3.h"

namespace orrery::cassandra {
namespace {

PagingState Full() {
  PagingState state;
  state.table = "table";
  state.left = 9;
  state.mark = {"key", "clustering"};
  state.partition_rows = 4;
  return state;
}

CqlResult<PagingState> Decoded(std::string_view bytes) {
  return DecodePagingState(bytes, PagingKind::kRows, "table");
}

// The bytes with a check that fits.
std::string Checked(std::string bytes) {
  AppendBigEndian(bytes, static_cast<uint32_t>(Murmur3(bytes).high));
  return bytes;
}

TEST(PagingState, ComesBackAsItWas) {
  for (int without = 0; without < 3; ++without) {
    PagingState state = Full();
    if (without == 1) state.mark.clustering.reset();
    if (without == 2) state.partition_rows = 0, state.left.reset();
    const auto decoded = Decoded(EncodePagingState(state));
    ASSERT_TRUE(decoded.has_value());
    EXPECT_EQ(*decoded, state);
  }
  PagingState feed;
  feed.kind = PagingKind::kFeed;
  feed.table = "table";
  feed.continuation = "from here";
  const auto decoded = DecodePagingState(EncodePagingState(feed), PagingKind::kFeed, "table");
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(*decoded, feed);
}

TEST(PagingState, OfAnotherTableOrKindIsRefused) {
  const auto table = DecodePagingState(EncodePagingState(Full()), PagingKind::kRows, "other");
  ASSERT_FALSE(table.has_value());
  EXPECT_EQ(table.error().code, ErrorCode::kProtocolError);
  EXPECT_EQ(table.error().message, "Invalid value for the paging state: it is of another table");
  const auto kind = DecodePagingState(EncodePagingState(Full()), PagingKind::kFeed, "table");
  ASSERT_FALSE(kind.has_value());
  EXPECT_EQ(kind.error().code, ErrorCode::kProtocolError);
}

TEST(PagingState, OfAnEarlierServerIsRefusedWithAReason) {
  const auto decoded = Decoded(Checked("\1anything"));
  ASSERT_FALSE(decoded.has_value());
  EXPECT_TRUE(decoded.error().message.contains("earlier version")) << decoded.error().message;
}

TEST(PagingState, DamageIsFound) {
  const std::string bytes = EncodePagingState(Full());
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    EXPECT_FALSE(Decoded(damaged).has_value()) << i;
    EXPECT_FALSE(Decoded(bytes.substr(0, i)).has_value()) << i;
  }
}

TEST(PagingState, WhatNoServerWritesIsRefusedWithAGoodCheck) {
  const std::string bytes = EncodePagingState(Full());
  const std::string body = bytes.substr(0, bytes.size() - sizeof(uint32_t));
  ASSERT_TRUE(Decoded(Checked(body)).has_value());
  for (size_t i = 0; i < body.size(); ++i)
    EXPECT_FALSE(Decoded(Checked(body.substr(0, i))).has_value()) << i;
  EXPECT_FALSE(Decoded(Checked(body + "x")).has_value());
  PagingState nothing_left = Full();
  nothing_left.left = 0;
  EXPECT_FALSE(Decoded(EncodePagingState(nothing_left)).has_value());
}

}  // namespace
}  // namespace orrery::cassandra
