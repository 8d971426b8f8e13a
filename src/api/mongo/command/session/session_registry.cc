#include "api/mongo/command/session/session_registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "api/mongo/executor/retry/retry_statements.h"

namespace orrery::mongo {

bool SessionRegistry::IsExpired(const Session& session, Micros now) const {
  return now - session.used >= std::chrono::minutes(kSessionTimeoutMinutes);
}

Outcome SessionRegistry::Use(std::string_view session, std::optional<int64_t> number) {
  const Micros now = clock_.Monotonic();
  MutexLock lock(mutex_);
  auto found = by_bytes_.find(session);
  if (found == by_bytes_.end()) {
    if (sessions_.size() >= sessions_max_) {
      return Refuse(ErrorCode::kTooManyLogicalSessions,
                    fmt::format("Unable to add session {} into the cache because the number of "
                                "active sessions is too high",
                                SessionText(session)));
    }
    sessions_.push_back({.bytes = std::string(session), .used = now, .number = std::nullopt});
    const auto added = std::prev(sessions_.end());
    found = by_bytes_.emplace(added->bytes, added).first;
  } else {
    if (IsExpired(*found->second, now)) found->second->number.reset();
    sessions_.splice(sessions_.end(), sessions_, found->second);
  }
  Session& known = *found->second;
  known.used = now;
  if (!number.has_value()) return {};
  if (known.number.has_value() && *number < *known.number)
    return std::unexpected(TransactionTooOld(session, *number, *known.number));
  known.number = number;
  return {};
}

bool SessionRegistry::End(std::string_view session) {
  MutexLock lock(mutex_);
  const auto found = by_bytes_.find(session);
  if (found == by_bytes_.end()) return false;
  const Sessions::iterator at = found->second;
  by_bytes_.erase(found);
  sessions_.erase(at);
  return true;
}

std::vector<std::string> SessionRegistry::EndIf(
    const std::function<bool(std::string_view session)>& pick) {
  std::vector<std::string> ended;
  MutexLock lock(mutex_);
  for (auto at = sessions_.begin(); at != sessions_.end();) {
    const auto each = at++;
    if (!pick(each->bytes)) continue;
    ended.push_back(each->bytes);
    by_bytes_.erase(each->bytes);
    sessions_.erase(each);
  }
  return ended;
}

std::vector<std::string> SessionRegistry::Expire() {
  const Micros now = clock_.Monotonic();
  std::vector<std::string> expired;
  MutexLock lock(mutex_);
  while (!sessions_.empty() && IsExpired(sessions_.front(), now)) {
    expired.push_back(sessions_.front().bytes);
    by_bytes_.erase(sessions_.front().bytes);
    sessions_.pop_front();
  }
  return expired;
}

std::vector<std::pair<std::string, Micros>> SessionRegistry::List() const {
  std::vector<std::pair<std::string, Micros>> list;
  MutexLock lock(mutex_);
  for (const Session& session : sessions_) list.emplace_back(session.bytes, session.used);
  return list;
}

size_t SessionRegistry::size() const {
  MutexLock lock(mutex_);
  return sessions_.size();
}

}  // namespace orrery::mongo
