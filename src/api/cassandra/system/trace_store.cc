#include "api/cassandra/system/trace_store.h"

#include <algorithm>
#include <utility>

#include "api/cassandra/types/native/timeuuid.h"

namespace orrery::cassandra {
namespace {

// The approximate size of a session or an event beside its texts.
constexpr size_t kEntryBytes = 128;

// A text of at most so many bytes that is still well-formed UTF-8.
std::string Cut(std::string_view text, size_t bytes_max) {
  if (text.size() <= bytes_max) return std::string(text);
  const auto is_continuation = [&](size_t at) {
    return (static_cast<uint8_t>(text[at]) & 0xc0) == 0x80;
  };
  size_t end = bytes_max;
  while (end > 0 && is_continuation(end)) --end;
  return std::string(text.substr(0, end));
}

}  // namespace

TraceStore::TraceStore(const Clock& clock, uint64_t node, const TraceLimits& limits)
    : clock_(clock), node_(node), limits_(limits) {}

void TraceStore::Begin(const Uuid& session, std::string_view command, std::string_view request,
                       OptionMap parameters, const InetAddress& client) {
  Kept kept;
  kept.session.id = session;
  kept.session.command = command;
  kept.session.request = Cut(request, limits_.text_bytes_max);
  kept.session.client = client;
  kept.session.started = clock_.Now();
  kept.bytes = kEntryBytes + command.size() + kept.session.request.size();
  for (auto& [key, value] : parameters) {
    if (value.size() > limits_.text_bytes_max) value = Cut(value, limits_.text_bytes_max);
    kept.bytes += kEntryBytes + key.size() + value.size();
  }
  kept.session.parameters = std::move(parameters);

  MutexLock lock(mutex_);
  if (const auto found = sessions_.find(session); found != sessions_.end()) Forget(found->second);
  bytes_ += kept.bytes;
  order_.push_back(std::move(kept));
  sessions_.emplace(session, std::prev(order_.end()));
  MakeRoom();
}

void TraceStore::Event(const Uuid& session, std::string_view activity, Micros elapsed,
                       std::string_view thread) {
  TraceEvent event{{}, Cut(activity, limits_.text_bytes_max), std::string(thread), elapsed};
  const size_t bytes = kEntryBytes + event.activity.size() + event.thread.size();
  const Micros now = clock_.Now();

  MutexLock lock(mutex_);
  const auto found = sessions_.find(session);
  if (found == sessions_.end()) return;
  Kept& kept = *found->second;
  if (kept.session.events.size() >= limits_.events_per_session_max) return;
  last_event_ = std::max(now, last_event_ + Micros(1));
  event.id = MakeTimeUuid(last_event_, node_);
  kept.session.events.push_back(std::move(event));
  kept.bytes += bytes;
  bytes_ += bytes;
  MakeRoom();
}

void TraceStore::End(const Uuid& session, Micros duration) {
  MutexLock lock(mutex_);
  if (const auto found = sessions_.find(session); found != sessions_.end())
    found->second->session.duration = duration;
}

std::optional<TraceSession> TraceStore::Find(const Uuid& session) const {
  MutexLock lock(mutex_);
  const auto found = sessions_.find(session);
  if (found == sessions_.end() || IsOld(*found->second)) return std::nullopt;
  return found->second->session;
}

std::vector<TraceSession> TraceStore::All() const {
  std::vector<TraceSession> sessions;
  MutexLock lock(mutex_);
  for (const Kept& kept : order_) {
    if (!IsOld(kept)) sessions.push_back(kept.session);
  }
  return sessions;
}

bool TraceStore::IsOld(const Kept& kept) const {
  return clock_.Now() - kept.session.started > limits_.age_max;
}

void TraceStore::Forget(Order::iterator kept) {
  bytes_ -= kept->bytes;
  sessions_.erase(kept->session.id);
  order_.erase(kept);
}

void TraceStore::MakeRoom() {
  while (!order_.empty() && (order_.size() > limits_.sessions_max || bytes_ > limits_.bytes_max ||
                             IsOld(order_.front()))) {
    Forget(order_.begin());
  }
}

}  // namespace orrery::cassandra
