// A SessionRegistry knows the logical sessions that clients use on this node: when each was used
// last, and its newest transaction number.
//
// It is a cache that a restart may lose: what keeps a retried write from being done twice is stored
// beside the documents (executor/retry/retry_statements.h). Sessions that nobody uses for 30
// minutes are forgotten; at most kSessionsMax are known at once.
//
// Thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/mongo/error/mongo_error.h"
#include "base/clock.h"
#include "base/mutex.h"

namespace orrery::mongo {

inline constexpr int32_t kSessionTimeoutMinutes = 30;

class SessionRegistry {
 public:
  static constexpr size_t kSessionsMax = 200'000;

  // `clock` must outlive it.
  explicit SessionRegistry(const Clock& clock, size_t sessions_max = kSessionsMax)
      : clock_(clock), sessions_max_(sessions_max) {}

  // Notes that a session is used, with a transaction number if the command has one.
  // kTooManyLogicalSessions; kTransactionTooOld when a newer number was used.
  Outcome Use(std::string_view session, std::optional<int64_t> number) EXCLUDES(mutex_);

  // Forgets a session. Returns whether it was known.
  bool End(std::string_view session) EXCLUDES(mutex_);
  // Forgets those for which `pick` is true, and returns them. `pick` is called with the lock held.
  std::vector<std::string> EndIf(const std::function<bool(std::string_view session)>& pick)
      EXCLUDES(mutex_);
  // Forgets sessions that were not used for kSessionTimeoutMinutes, and returns them.
  std::vector<std::string> Expire() EXCLUDES(mutex_);

  size_t size() const EXCLUDES(mutex_);
  // All, with the time of their last use by the monotonic clock.
  std::vector<std::pair<std::string, Micros>> List() const EXCLUDES(mutex_);

 private:
  struct Session {
    std::string bytes;
    Micros used{0};
    std::optional<int64_t> number;
  };
  using Sessions = std::list<Session>;  // the one that was used last at the end

  bool IsExpired(const Session& session, Micros now) const;

  const Clock& clock_;
  const size_t sessions_max_;
  mutable Mutex mutex_;
  Sessions sessions_ GUARDED_BY(mutex_);
  std::unordered_map<std::string_view, Sessions::iterator> by_bytes_ GUARDED_BY(mutex_);
};

}  // namespace orrery::mongo
