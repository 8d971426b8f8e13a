#include "net/gate.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

namespace orrery::net {
namespace {

TEST(GateTest, TheWaitingCoroutineGoesOnWhenItsConditionHolds) {
  boost::asio::io_context context;
  Gate gate(context.get_executor());
  int left = 2;
  bool through = false;
  const auto wait = [&]() -> boost::asio::awaitable<void> {
    while (left > 0) co_await gate.Wait();
    through = true;
  };
  gate.Open();  // nobody waits yet: not remembered
  boost::asio::co_spawn(context, wait(), boost::asio::detached);
  context.poll();
  EXPECT_FALSE(through);
  for (; left > 0;) {
    --left;
    gate.Open();
    gate.Open();
    EXPECT_FALSE(through) << "resumed inside Open()";
    context.restart();
    context.poll();
  }
  EXPECT_TRUE(through);
}

}  // namespace
}  // namespace orrery::net
