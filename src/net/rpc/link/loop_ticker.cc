#include "net/rpc/link/loop_ticker.h"

#include <boost/asio/steady_timer.hpp>
#include <utility>

namespace orrery::net {

struct LoopTicker::State {
  boost::asio::steady_timer timer;
  const std::chrono::milliseconds interval;
  std::function<void()> handler;  // empty once the ticker is gone
};

LoopTicker::LoopTicker(const boost::asio::any_io_executor& loop, std::chrono::milliseconds interval,
                       std::function<void()> handler)
    : state_(
          std::make_shared<State>(boost::asio::steady_timer(loop), interval, std::move(handler))) {
  Schedule(state_);
}

LoopTicker::~LoopTicker() {
  state_->handler = nullptr;
  state_->timer.cancel();
}

void LoopTicker::Schedule(std::shared_ptr<State> state) {
  boost::asio::steady_timer& timer = state->timer;
  timer.expires_after(state->interval);
  timer.async_wait([state = std::move(state)](const boost::system::error_code&) mutable {
    if (!state->handler) return;
    state->handler();
    Schedule(std::move(state));
  });
}

}  // namespace orrery::net
