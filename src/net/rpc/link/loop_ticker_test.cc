#include "net/rpc/link/loop_ticker.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <optional>

namespace orrery::net {
namespace {

TEST(LoopTickerTest, TicksUntilItIsGone) {
  boost::asio::io_context loop;
  int ticks = 0;
  std::optional<LoopTicker> ticker;
  ticker.emplace(loop.get_executor(), std::chrono::milliseconds(1), [&] { ++ticks; });
  while (ticks < 3) loop.run_one();
  ticker.reset();
  // Nothing is left to wait for but the cancelled wait.
  loop.run();
  EXPECT_EQ(ticks, 3);
}

}  // namespace
}  // namespace orrery::net
