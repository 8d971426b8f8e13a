#include "net/stream_set.h"

#include "base/check.h"
#include "net/stream.h"

namespace orrery::net {

void StreamSet::Add(Stream& stream) {
  stream.set_index_ = streams_.size();
  streams_.push_back(&stream);
  if (draining_) stream.Drain();
  if (!sweeping_) ScheduleSweep();
}

void StreamSet::Remove(Stream& stream) {
  ORRERY_CHECK(streams_[stream.set_index_] == &stream);
  streams_[stream.set_index_] = streams_.back();
  streams_[stream.set_index_]->set_index_ = stream.set_index_;
  streams_.pop_back();
}

// In the three walks below no stream is destroyed: cancelling only queues the coroutine that will.

void StreamSet::Drain() {
  draining_ = true;
  for (Stream* stream : streams_) stream->Drain();
}

void StreamSet::Abort() {
  for (Stream* stream : streams_) stream->Abort();
}

void StreamSet::Sweep() {
  const auto now = std::chrono::steady_clock::now();
  for (Stream* stream : streams_) stream->Sweep(now);
  sweeping_ = false;
  if (!streams_.empty()) ScheduleSweep();
}

void StreamSet::ScheduleSweep() {
  sweeping_ = true;
  timer_.expires_after(sweep_interval_);
  timer_.async_wait(
      [self = shared_from_this()](const boost::system::error_code&) { self->Sweep(); });
}

}  // namespace orrery::net
