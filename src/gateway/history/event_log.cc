#include "gateway/history/event_log.h"

#include <algorithm>

namespace orrery::gateway {
namespace {

constexpr std::string_view kEventSequence = "event";

}  // namespace

bool EventFilter::Wants(const Event& event) const {
  if (event.number <= after) return false;
  if (!database.has_value()) return true;
  if (container.has_value() && container_id.has_value() &&
      std::ranges::find(event.container_ids, container_id->value()) != event.container_ids.end())
    return true;
  if (event.database != *database) return false;
  return !container.has_value() || event.container == *container;
}

EventLog::~EventLog() { Stop(); }

void EventLog::Keep(uint64_t number, std::string_view value) {
  auto event = DecodeEvent(value);
  if (!event.has_value()) event = Event{.kind = "unreadable"};
  event->number = number;
  bytes_ += value.size();
  events_.push_back({*std::move(event), value.size()});
}

Status EventLog::Load() {
  std::vector<Waiter> ready;
  {
    const MutexLock lock(mutex_);
    const uint64_t known = events_.empty() ? 0 : events_.back().event.number;
    ORRERY_TRY(system_.ForEach(kEventPrefix, [&](std::string_view key, std::string_view value) {
      const uint64_t number = EventNumber(key);
      if (number > known) {
        // The store calls back on this thread, under the lock that was taken above.
        [&]() NO_THREAD_SAFETY_ANALYSIS { Keep(number, value); }();
      }
      return Status();
    }));
    ready = Take([this](const Waiter& waiter)
                     NO_THREAD_SAFETY_ANALYSIS { return HasAny(waiter.filter); });
  }
  for (const Waiter& waiter : ready) waiter.done();
  return {};
}

Status EventLog::Add(std::vector<Event>& events) {
  if (events.empty()) return {};
  cluster::SystemStore::Change change;
  std::vector<std::string> values;
  for (Event& event : events) {
    ORRERY_ASSIGN(event.number, system_.NextId(kEventSequence, change));
    values.push_back(EncodeEvent(event));
    change.Put(EventKey(event.number), values.back());
  }
  size_t forgotten = 0;
  {
    const MutexLock lock(mutex_);
    size_t count = events_.size() + events.size();
    size_t bytes = bytes_;
    for (const std::string& value : values) bytes += value.size();
    while (forgotten < events_.size() && (count > kEventsMax || bytes > kEventBytesMax)) {
      const Stored& oldest = events_[forgotten++];
      change.Delete(EventKey(oldest.event.number));
      --count;
      bytes -= oldest.bytes;
    }
  }
  ORRERY_TRY(system_.Commit(std::move(change)));
  std::vector<Waiter> ready;
  {
    const MutexLock lock(mutex_);
    for (size_t i = 0; i < forgotten; ++i) {
      bytes_ -= events_.front().bytes;
      events_.pop_front();
    }
    for (size_t i = 0; i < events.size(); ++i) Keep(events[i].number, values[i]);
    ready = Take([this](const Waiter& waiter)
                     NO_THREAD_SAFETY_ANALYSIS { return HasAny(waiter.filter); });
  }
  for (const Waiter& waiter : ready) waiter.done();
  return {};
}

bool EventLog::HasAny(const EventFilter& filter) const {
  for (auto each = events_.rbegin(); each != events_.rend(); ++each) {
    if (each->event.number <= filter.after) return false;
    if (filter.Wants(each->event)) return true;
  }
  return false;
}

std::vector<EventLog::Waiter> EventLog::Take(const std::function<bool(const Waiter&)>& is_ready) {
  std::vector<Waiter> taken;
  std::vector<Waiter> kept;
  for (Waiter& waiter : waiters_) (is_ready(waiter) ? taken : kept).push_back(std::move(waiter));
  waiters_ = std::move(kept);
  return taken;
}

std::vector<Event> EventLog::Newest(const EventFilter& filter) const {
  std::vector<Event> found;
  const MutexLock lock(mutex_);
  for (auto each = events_.rbegin(); each != events_.rend() && found.size() < filter.count_max;
       ++each) {
    if (each->event.number <= filter.after) break;
    if (filter.Wants(each->event)) found.push_back(each->event);
  }
  return found;
}

uint64_t EventLog::last_number() const {
  const MutexLock lock(mutex_);
  return events_.empty() ? 0 : events_.back().event.number;
}

void EventLog::Await(EventFilter filter, Micros deadline, std::function<void()> done) {
  {
    const MutexLock lock(mutex_);
    if (!stopped_ && waiters_.size() < kWaitersMax && !HasAny(filter)) {
      waiters_.push_back({std::move(filter), deadline, std::move(done)});
      return;
    }
  }
  done();
}

void EventLog::Expire(Micros now) {
  std::vector<Waiter> ready;
  {
    const MutexLock lock(mutex_);
    ready = Take([now](const Waiter& waiter) { return waiter.deadline <= now; });
  }
  for (const Waiter& waiter : ready) waiter.done();
}

void EventLog::Stop() {
  std::vector<Waiter> ready;
  {
    const MutexLock lock(mutex_);
    stopped_ = true;
    ready = Take([](const Waiter&) { return true; });
  }
  for (const Waiter& waiter : ready) waiter.done();
}

}  // namespace orrery::gateway
