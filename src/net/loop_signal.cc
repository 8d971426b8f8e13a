#include "net/loop_signal.h"

#include <boost/asio/post.hpp>
#include <utility>

namespace orrery::net {

LoopSignal::LoopSignal(boost::asio::any_io_executor loop, Handler handler)
    : thread_(std::this_thread::get_id()), handler_(std::move(handler)), loop_(std::move(loop)) {}

std::shared_ptr<LoopSignal> LoopSignal::Make(boost::asio::any_io_executor loop, Handler handler) {
  return std::shared_ptr<LoopSignal>(new LoopSignal(std::move(loop), std::move(handler)));
}

void LoopSignal::Raise() {
  if (raised_.exchange(true, std::memory_order_acq_rel)) return;
  MutexLock lock(mutex_);
  if (closed_) return;
  boost::asio::post(loop_, [self = shared_from_this()] { self->Run(); });
}

void LoopSignal::Run() {
  // Before the handler looks, so that what comes while it looks raises anew. An exchange, not a
  // store: it sees what those wrote who found the signal raised already.
  raised_.exchange(false, std::memory_order_acq_rel);
  if (handler_) handler_();
}

void LoopSignal::Close() {
  {
    MutexLock lock(mutex_);
    closed_ = true;
  }
  handler_ = nullptr;
}

}  // namespace orrery::net
