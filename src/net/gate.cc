#include "net/gate.h"

#include <boost/asio/async_result.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "base/check.h"

namespace orrery::net {
namespace asio = boost::asio;

asio::awaitable<void> Gate::Wait() {
  ORRERY_CHECK(!waiter_);
  const auto wait = [this](auto handler) { waiter_ = std::move(handler); };
  co_await asio::async_initiate<const asio::use_awaitable_t<>&, void()>(wait, asio::use_awaitable);
}

asio::awaitable<void> Gate::LetOthersPass() { co_await asio::post(loop_, asio::use_awaitable); }

void Gate::Open() {
  if (waiter_) asio::post(loop_, std::exchange(waiter_, nullptr));
}

}  // namespace orrery::net
