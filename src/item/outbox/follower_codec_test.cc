#include "item/outbox/follower_codec.h"

#include <gtest/gtest.h>

#include <random>

#include "base/bytes.h"
#include "item/outbox/follower_testing.h"

namespace orrery::item {
namespace {

std::string Encoded(const std::vector<Follower>& followers) {
  std::string bytes;
  EncodeFollowers(bytes, followers, {});
  return bytes;
}

std::vector<Follower> Several() {
  std::vector<Follower> followers{FollowerOf(7, "k", "c", RowOf(1'000, "theo")),
                                  FollowerOf(UINT32_MAX, std::string(300, 'p'), "", RowOf(-5, ""))};
  followers[1].changes.rows.push_back({std::string("\0x", 2), RowOf(3, "y")});
  followers[1].changes.cleared = {{"a", "b", {.timestamp = 9, .local_s = 4}},
                                  {"c", std::nullopt, {.timestamp = -9, .local_s = 0}}};
  followers[1].attended = true;
  return followers;
}

TEST(FollowerCodecTest, WhatIsStoredComesBack) {
  for (const auto& followers : {std::vector<Follower>{}, Several()}) {
    const auto decoded = DecodeFollowers(Encoded(followers));
    ASSERT_TRUE(decoded.has_value());
    EXPECT_EQ(*decoded, followers);
  }
}

TEST(FollowerCodecTest, EntriesOfVersionOneAreRead) {
  const Follower follower = FollowerOf(7, "k", "c", RowOf(1'000, "theo"));
  std::string bytes = Encoded({follower});
  bytes[0] = 1;
  bytes.erase(2, 1);  // whether it is attended
  const auto decoded = DecodeFollowers(bytes);
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(*decoded, std::vector{follower});
}

TEST(FollowerCodecTest, TwoListsAreOne) {
  const std::vector<Follower> all = Several();
  std::string bytes;
  EncodeFollowers(bytes, {all.data(), 1}, {all.data() + 1, 1});
  EXPECT_EQ(bytes, Encoded(all));
}

TEST(FollowerCodecTest, RefusesWhatCannotBeDelivered) {
  const auto refused = [](const Follower& follower) {
    const auto decoded = DecodeFollowers(Encoded({follower}));
    return !decoded.has_value() && decoded.error().code() == Code::kCorruption;
  };
  EXPECT_FALSE(refused(FollowerOf(7, "k", "c", RowOf(1, "v"))));
  EXPECT_TRUE(refused(FollowerOf(7, "", "c", RowOf(1, "v")))) << "no key";
  EXPECT_TRUE(refused(FollowerOf(7, "k", "c", "")));
  EXPECT_TRUE(refused(FollowerOf(7, "k", "c", "no row")));
  EXPECT_TRUE(refused(FollowerOf(7, "k", "c", RowOf(1, "12345678", model::CellKind::kCounter))));
}

TEST(FollowerCodecTest, NoPrefixOfAFollowerIsTakenForAWhole) {
  const std::vector<Follower> followers = Several();
  const std::string bytes = Encoded(followers);
  const size_t after_first = Encoded({followers[0]}).size();
  for (size_t size = 0; size < bytes.size(); ++size) {
    const auto decoded = DecodeFollowers(std::string_view(bytes).substr(0, size));
    EXPECT_EQ(decoded.has_value(), size == 1 || size == after_first) << size;
  }
}

TEST(FollowerCodecTest, DamagedBytesAreRefusedOrFollowers) {
  constexpr uint32_t kSeed = 20'261'116;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  const std::string sound = Encoded(Several());
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes = sound;
    for (uint32_t changes = random() % 3 + 1; changes > 0; --changes) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    const auto decoded = DecodeFollowers(bytes);
    if (!decoded.has_value()) continue;
    const auto again = DecodeFollowers(Encoded(*decoded));
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(*again, *decoded);
  }
}

// docs/format/rows.md shows these bytes.
TEST(FollowerCodecTest, WorkedExample) {
  Follower follower = FollowerOf(300, "k", "c", RowOf(1'000, "theo"));
  follower.changes.cleared = {{"a", "b", {.timestamp = 9, .local_s = 4}}};
  EXPECT_EQ(ToHex(Encoded({follower})),
            "02"
            "ac0200"
            "016b"
            "01"
            "0163"
            "13"
            "110000000000000000d00f00"
            "0100047468656f"
            "01"
            "0161"
            "05"
            "0101621204");
}

}  // namespace
}  // namespace orrery::item
