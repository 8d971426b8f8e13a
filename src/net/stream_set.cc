#include "net/stream_set.h"

#include <algorithm>

#include "base/check.h"
#include "net/stream.h"

namespace orrery::net {
namespace {

// Of the streams that may give way, the part that does in one sweep.
constexpr size_t kGiveWayShare = 8;
constexpr size_t kGiveWayMin = 8;
// The interval of sweeps while connections are scarce.
constexpr std::chrono::milliseconds kCrowdedInterval{50};

}  // namespace

void StreamSet::Add(Stream& stream) {
  stream.set_index_ = streams_.size();
  streams_.push_back(&stream);
  if (draining_) stream.Drain();
  if (sweeping_) {
    // The wait that is cut short ends in a sweep.
    if (!crowded_ && stream.place_ && stream.place_->crowded()) timer_.cancel();
    return;
  }
  now_ = std::chrono::steady_clock::now();
  ScheduleSweep();
}

void StreamSet::Remove(Stream& stream) {
  ORRERY_CHECK(streams_[stream.set_index_] == &stream);
  streams_[stream.set_index_] = streams_.back();
  streams_[stream.set_index_]->set_index_ = stream.set_index_;
  streams_.pop_back();
}

// In the walks below no stream is destroyed: cancelling only queues the coroutine that will.

void StreamSet::Drain() {
  draining_ = true;
  for (Stream* stream : streams_) stream->Drain();
}

void StreamSet::Abort() {
  for (Stream* stream : streams_) stream->Abort();
}

void StreamSet::Sweep() {
  now_ = std::chrono::steady_clock::now();
  for (Stream* stream : streams_) stream->Sweep(now_);
  MakeRoom();
  sweeping_ = false;
  if (!streams_.empty()) ScheduleSweep();
}

void StreamSet::MakeRoom() {
  std::vector<Stream*> waiting;
  crowded_ = false;
  for (Stream* stream : streams_) {
    if (!stream->place_ || stream->gave_way_ || !stream->place_->crowded()) continue;
    crowded_ = true;
    if (stream->MayGiveWay(now_)) waiting.push_back(stream);
  }
  const size_t count =
      std::min(waiting.size(), std::max(kGiveWayMin, waiting.size() / kGiveWayShare));
  std::ranges::partial_sort(waiting, waiting.begin() + static_cast<std::ptrdiff_t>(count),
                            [](const Stream* a, const Stream* b) {
                              if (a->has_asked_ != b->has_asked_) return b->has_asked_;
                              return a->last_request_ < b->last_request_;
                            });
  waiting.resize(count);
  for (Stream* stream : waiting) {
    if (!stream->place_->crowded()) continue;
    MakeGiveWay(*stream);
  }
}

void StreamSet::MakeGiveWay(Stream& stream) {
  stream.GiveWay();
  gave_way_.Add();
}

void StreamSet::ScheduleSweep() {
  sweeping_ = true;
  timer_.expires_after(crowded_ ? std::min(sweep_interval_, kCrowdedInterval) : sweep_interval_);
  timer_.async_wait(
      [self = shared_from_this()](const boost::system::error_code&) { self->Sweep(); });
}

}  // namespace orrery::net
