#include "net/rpc/rpc_call_table.h"

#include <gtest/gtest.h>

#include <set>

namespace orrery::net {
namespace {

TEST(RpcCallTableTest, FindsACallByItsIdOnce) {
  RpcCallTable table;
  std::string answered;
  const uint64_t first = table.Add(Micros(1), [&](const auto& answer) { answered = *answer; });
  const uint64_t second = table.Add(Micros(1), [](const auto&) {});
  EXPECT_NE(first, second);
  auto done = table.Take(first);
  ASSERT_TRUE(done.has_value());
  (*done)("yes");
  EXPECT_EQ(answered, "yes");
  EXPECT_FALSE(table.Take(first).has_value());
  EXPECT_FALSE(table.Take(99).has_value());
  EXPECT_EQ(table.size(), 1u);
}

TEST(RpcCallTableTest, GivesOutWhatIsOverdue) {
  RpcCallTable table;
  std::set<int> over;
  for (int i = 1; i <= 4; ++i) table.Add(Micros(i), [&over, i](const auto&) { over.insert(i); });
  for (RpcDone& done : table.TakeOverdue(Micros(2))) done("");
  EXPECT_EQ(over, (std::set<int>{1, 2}));
  for (RpcDone& done : table.TakeAll()) done("");
  EXPECT_EQ(over, (std::set<int>{1, 2, 3, 4}));
  EXPECT_EQ(table.size(), 0u);
}

}  // namespace
}  // namespace orrery::net
