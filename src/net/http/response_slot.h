// A ResponseSlot is where a connection waits for the answer that a handler may give on any thread.
//
// A connection has one slot for all its requests, one after the other; responders share it. Once
// closed, it drops what is still delivered, so a responder may outlive connection, server and loop.
//
// Deliver() from any thread, everything else on the connection's loop.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <functional>
#include <optional>

#include "base/mutex.h"
#include "net/http/http_responder.h"

namespace orrery::net {

class ResponseSlot final : public HttpResponder::Sink {
 public:
  explicit ResponseSlot(boost::asio::any_io_executor loop) : loop_(std::move(loop)) {}

  void Deliver(HttpResponse response) override EXCLUDES(mutex_);

  // Waits for the next response. Nothing after Close(), also if that comes while it waits.
  boost::asio::awaitable<std::optional<HttpResponse>> Take() EXCLUDES(mutex_);

  void Close() EXCLUDES(mutex_);

 private:
  void WakeWaiter() REQUIRES(mutex_);

  Mutex mutex_;
  // Not used after Close(): the loop may be gone then.
  const boost::asio::any_io_executor loop_;
  std::optional<HttpResponse> response_ GUARDED_BY(mutex_);
  std::move_only_function<void()> waiter_ GUARDED_BY(mutex_);
  bool closed_ GUARDED_BY(mutex_) = false;
};

}  // namespace orrery::net
