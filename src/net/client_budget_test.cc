#include "net/client_budget.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace orrery::net {
namespace {

ClientBudget::Address V4(uint8_t last) {
  return {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 0, 0, last};
}
ClientBudget::Address V6(uint8_t network, uint8_t last) {
  return {0x20, 1, 0xd, 0xb8, 0, 0, 0, network, 0, 0, 0, 0, 0, 0, 0, last};
}

std::shared_ptr<ClientBudget> Make() {
  return std::make_shared<ClientBudget>(ClientLimits{.connections_max = 8,
                                                     .connections_of_address_max = 4,
                                                     .bytes_max = 100,
                                                     .bytes_of_address_max = 60});
}

TEST(ClientBudgetTest, AnAddressHasAShareOfTheConnections) {
  const auto budget = Make();
  std::vector<ClientBudget::Place> places;
  for (int i = 0; i < 4; ++i) places.push_back(std::move(*budget->Admit(V4(1))));
  EXPECT_FALSE(budget->Admit(V4(1)).has_value());
  for (int i = 0; i < 4; ++i) places.push_back(std::move(*budget->Admit(V4(2))));
  EXPECT_FALSE(budget->Admit(V4(3)).has_value());
  places.pop_back();
  EXPECT_TRUE(budget->Admit(V4(3)).has_value());
  places.clear();
  EXPECT_EQ(budget->connections(), 0u);
}

TEST(ClientBudgetTest, ANetworkOf64BitsIsOneAddress) {
  const auto budget = Make();
  std::vector<ClientBudget::Place> places;
  for (uint8_t i = 0; i < 4; ++i) places.push_back(std::move(*budget->Admit(V6(1, i))));
  EXPECT_FALSE(budget->Admit(V6(1, 9)).has_value());
  EXPECT_TRUE(budget->Admit(V6(2, 9)).has_value());
}

TEST(ClientBudgetTest, SomePortsHaveAReserve) {
  const auto budget = Make();
  std::vector<ClientBudget::Place> places;
  for (int i = 0; i < 4; ++i) places.push_back(std::move(*budget->Admit(V4(1), 1)));
  EXPECT_FALSE(places.back().is_reserve());
  auto extra = budget->Admit(V4(1), 1);
  ASSERT_TRUE(extra.has_value());
  EXPECT_TRUE(extra->is_reserve());
  EXPECT_FALSE(budget->Admit(V4(1), 1).has_value());
  EXPECT_FALSE(budget->Admit(V4(1)).has_value());
}

TEST(ClientBudgetTest, APlaceThatGaveWayCountsNoLonger) {
  const auto budget = Make();
  std::vector<ClientBudget::Place> places;
  for (int i = 0; i < 4; ++i) places.push_back(std::move(*budget->Admit(V4(1))));
  EXPECT_TRUE(places.front().crowded());
  places.front().GiveBack();
  EXPECT_FALSE(places.front().crowded());
  EXPECT_EQ(budget->connections(), 3u);
  EXPECT_TRUE(budget->Admit(V4(1)).has_value());
  places.clear();
  EXPECT_EQ(budget->connections(), 0u);
}

TEST(ClientBudgetTest, AnAddressHasAShareOfTheBytes) {
  const auto budget = Make();
  const auto one = budget->Admit(V4(1));
  const auto two = budget->Admit(V4(2));
  EXPECT_TRUE(one->bytes()->TryTake(10));
  EXPECT_TRUE(one->bytes()->TryTake(50));
  EXPECT_FALSE(one->bytes()->TryTake(1));
  EXPECT_TRUE(two->bytes()->TryTake(10));
  EXPECT_TRUE(two->bytes()->TryTake(30));
  EXPECT_FALSE(two->bytes()->TryTake(1));
  EXPECT_EQ(budget->bytes()->bytes(), 100u);
  one->bytes()->Release(60);
  two->bytes()->Release(40);
}

TEST(ClientBudgetTest, WarnsOnceAMinute) {
  const auto budget = Make();
  const std::chrono::steady_clock::time_point begin{std::chrono::hours(5)};
  EXPECT_TRUE(budget->MayWarn(begin));
  EXPECT_FALSE(budget->MayWarn(begin + std::chrono::seconds(59)));
  EXPECT_TRUE(budget->MayWarn(begin + std::chrono::seconds(61)));
}

TEST(ClientBudgetTest, LimitsFollowOpenFiles) {
  EXPECT_EQ(ClientLimits::ForOpenFiles(3'000).connections_max, 1'000u);
  EXPECT_EQ(ClientLimits::ForOpenFiles(3'000).connections_of_address_max, 500u);
  EXPECT_GT(ClientLimits::ForOpenFiles(0).connections_of_address_max, 0u);
}

}  // namespace
}  // namespace orrery::net
