// Keeps what happened during requests whose clients asked for tracing, for system_traces.
//
// The executor of a request begins a session, adds events and ends it; drivers read the session
// until it has a duration. In memory and bounded: when a limit is reached the oldest sessions go
// first, and late events of a session that is gone are dropped. Nothing survives a restart.
//
// Thread-safe.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/protocol/body/primitives.h"
#include "api/cassandra/schema/table_options.h"
#include "base/clock.h"
#include "base/mutex.h"

namespace orrery::cassandra {

struct TraceLimits {
  size_t sessions_max = 4'096;
  size_t events_per_session_max = 512;
  size_t text_bytes_max = size_t{64} << 10;  // of a request or an activity; the rest is cut off
  size_t bytes_max = size_t{16} << 20;       // of all texts
  Micros age_max = std::chrono::hours(24);
};

struct TraceEvent {
  std::string id;  // a timeuuid, 16 bytes; they rise
  std::string activity;
  std::string thread;
  Micros elapsed{0};  // since the session began
};

struct TraceSession {
  Uuid id{};
  std::string command;   // "QUERY"
  std::string request;   // "Execute CQL3 query"
  OptionMap parameters;  // {"query": "SELECT ...", "consistency_level": "ONE"}
  InetAddress client;
  Micros started{0};               // in Unix time
  std::optional<Micros> duration;  // none: not ended yet
  std::vector<TraceEvent> events;
};

class TraceStore {
 public:
  // `clock` must outlive it. `node` tells apart the timeuuids of this process from others'.
  TraceStore(const Clock& clock, uint64_t node, const TraceLimits& limits = {});

  // A session that is there already begins anew.
  void Begin(const Uuid& session, std::string_view command, std::string_view request,
             OptionMap parameters, const InetAddress& client) EXCLUDES(mutex_);
  void Event(const Uuid& session, std::string_view activity, Micros elapsed,
             std::string_view thread = {}) EXCLUDES(mutex_);
  void End(const Uuid& session, Micros duration) EXCLUDES(mutex_);

  // Copies, of those that are not too old.
  std::optional<TraceSession> Find(const Uuid& session) const EXCLUDES(mutex_);
  std::vector<TraceSession> All() const EXCLUDES(mutex_);  // oldest first

 private:
  struct Kept {
    TraceSession session;
    size_t bytes = 0;
  };
  using Order = std::list<Kept>;  // oldest first

  bool IsOld(const Kept& kept) const;
  void Forget(Order::iterator kept) REQUIRES(mutex_);
  // Of the oldest, as many as the limits ask for.
  void MakeRoom() REQUIRES(mutex_);

  const Clock& clock_;
  const uint64_t node_;
  const TraceLimits limits_;

  mutable Mutex mutex_;
  Order order_ GUARDED_BY(mutex_);
  std::map<Uuid, Order::iterator> sessions_ GUARDED_BY(mutex_);
  size_t bytes_ GUARDED_BY(mutex_) = 0;
  Micros last_event_ GUARDED_BY(mutex_){0};  // the time in the last timeuuid
};

}  // namespace orrery::cassandra
