#include "net/http/response_slot.h"

#include <boost/asio/async_result.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

namespace orrery::net {
namespace asio = boost::asio;

void ResponseSlot::Deliver(HttpResponse response) {
  MutexLock lock(mutex_);
  if (closed_) return;
  response_ = std::move(response);
  WakeWaiter();
}

void ResponseSlot::Close() {
  MutexLock lock(mutex_);
  closed_ = true;
  WakeWaiter();
}

void ResponseSlot::WakeWaiter() {
  if (waiter_) asio::post(loop_, std::exchange(waiter_, nullptr));
}

asio::awaitable<std::optional<HttpResponse>> ResponseSlot::Take() {
  const auto wait = [this](auto handler) {
    MutexLock lock(mutex_);
    if (closed_ || response_) {
      asio::post(loop_, std::move(handler));
    } else {
      waiter_ = std::move(handler);
    }
  };
  bool ready = false;
  {
    MutexLock lock(mutex_);
    ready = closed_ || response_;
  }
  // Handlers that answer before they return are not made to wait for another round of the loop.
  if (!ready)
    co_await asio::async_initiate<const asio::use_awaitable_t<>&, void()>(wait,
                                                                          asio::use_awaitable);
  MutexLock lock(mutex_);
  if (closed_) co_return std::nullopt;
  co_return std::exchange(response_, std::nullopt);
}

}  // namespace orrery::net
