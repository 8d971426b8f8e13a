#include "api/mongo/command/session/session_registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "api/mongo/command/transaction/mongo_transaction.h"
#include "api/mongo/executor/retry/retry_statements.h"
#include "base/cluster_clock.h"

namespace orrery::mongo {

bool SessionRegistry::IsExpired(const Session& session, Micros now) const {
  return now - session.used >= std::chrono::minutes(kSessionTimeoutMinutes);
}

Answer<SessionRegistry::Session*> SessionRegistry::Touch(std::string_view session) {
  const Micros now = clock_.Monotonic();
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
    if (IsExpired(*found->second, now)) {
      found->second->number.reset();
      found->second->transaction.reset();
    }
    sessions_.splice(sessions_.end(), sessions_, found->second);
  }
  found->second->used = now;
  return &*found->second;
}

Outcome SessionRegistry::Use(std::string_view session, std::optional<int64_t> number) {
  std::vector<TransactionPtr> left;
  {
    MutexLock lock(mutex_);
    MONGO_ASSIGN(Session * known, Touch(session));
    if (!number.has_value()) return {};
    if (known->number.has_value() && *number < *known->number)
      return std::unexpected(TransactionTooOld(session, *number, *known->number));
    if (known->number == number && known->transaction != nullptr) {
      return Refuse(ErrorCode::kIncompleteTransactionHistory,
                    "Cannot retry a retryable write that has been converted into a transaction");
    }
    Leave(*known, left);
    known->number = number;
  }
  Abort(std::move(left));
  return {};
}

Answer<std::shared_ptr<MongoTransaction>> SessionRegistry::EnterTransaction(
    const MongoServices& services, std::string_view session, const TransactionCall& call) {
  std::vector<TransactionPtr> left;
  TransactionPtr entered;
  {
    MutexLock lock(mutex_);
    MONGO_ASSIGN(Session * known, Touch(session));
    const int64_t active = known->number.value_or(-1);
    if (call.number < active) {
      return Refuse(
          ErrorCode::kTransactionTooOld,
          fmt::format("Cannot start transaction with {{ txnNumber: {} }} on session {} because a "
                      "newer {} with txnNumberAndRetryCounter {{ txnNumber: {}, "
                      "txnRetryCounter: {} }} has already started on this session.",
                      call.number, SessionText(session),
                      known->transaction != nullptr ? "transaction" : "retryable write", active,
                      known->transaction != nullptr ? 0 : -1));
    }
    if (!call.starts) {
      if (call.number == active && known->transaction != nullptr) return known->transaction;
      return Refuse(ErrorCode::kNoSuchTransaction,
                    fmt::format("Given transaction number {} does not match any in-progress "
                                "transactions. The active transaction number is {}",
                                call.number, active));
    }
    if (call.number == active) {
      return Refuse(ErrorCode::kConflictingOperationInProgress,
                    "Only servers in a sharded cluster can start a new transaction at the active "
                    "transaction number");
    }
    Leave(*known, left);
    known->number = call.number;
    known->transaction = entered =
        std::make_shared<MongoTransaction>(services, std::string(session), call.number);
    open_.push_back(entered);
  }
  Abort(std::move(left));
  return entered;
}

void SessionRegistry::Leave(Session& session, std::vector<TransactionPtr>& left) {
  if (session.transaction != nullptr) left.push_back(std::exchange(session.transaction, nullptr));
}

void SessionRegistry::Abort(std::vector<TransactionPtr> transactions) {
  for (TransactionPtr& transaction : transactions) {
    MongoTransaction& target = *transaction;
    // One that cannot be posted is aborted by its age.
    (void)target.Post([transaction = std::move(transaction)] { transaction->Abort(); });
  }
}

void SessionRegistry::KeepSnapshot(std::string_view session, TransactionPtr snapshot) {
  MutexLock lock(mutex_);
  const auto known = by_bytes_.find(session);
  if (known == by_bytes_.end()) return;
  known->second->snapshot.swap(snapshot);
  // The former one goes without the lock, with the argument.
  if (snapshot == nullptr) with_snapshot_.emplace_back(session);
}

std::shared_ptr<MongoTransaction> SessionRegistry::FindSnapshot(std::string_view session,
                                                                uint64_t timestamp) {
  MutexLock lock(mutex_);
  const auto known = by_bytes_.find(session);
  if (known == by_bytes_.end() || known->second->snapshot == nullptr) return nullptr;
  const TransactionPtr& snapshot = known->second->snapshot;
  return TimestampOf(snapshot->core().start()) == timestamp ? snapshot : nullptr;
}

void SessionRegistry::AbortOldTransactions() {
  const Micros now = clock_.Monotonic();
  const Micros began_before = now - transaction_lifetime();
  std::vector<TransactionPtr> old;
  std::vector<TransactionPtr> dropped;  // without the lock
  {
    MutexLock lock(mutex_);
    std::erase_if(with_snapshot_, [&](const std::string& session) REQUIRES(mutex_) {
      const auto known = by_bytes_.find(session);
      if (known == by_bytes_.end() || known->second->snapshot == nullptr) return true;
      if (now - known->second->snapshot->began() < std::chrono::seconds(kSnapshotLifetimeSeconds))
        return false;
      dropped.push_back(std::exchange(known->second->snapshot, nullptr));
      return true;
    });
    std::erase_if(open_, [&](const TransactionPtr& transaction) {
      if (transaction->state() != MongoTransaction::State::kInProgress) return true;
      if (transaction->began() <= began_before) old.push_back(transaction);
      return false;
    });
  }
  Abort(std::move(old));
}

void SessionRegistry::AbortTransactions() {
  std::vector<TransactionPtr> all;
  {
    MutexLock lock(mutex_);
    all.swap(open_);
  }
  Abort(std::move(all));
}

bool SessionRegistry::End(std::string_view session) {
  std::vector<TransactionPtr> left;
  {
    MutexLock lock(mutex_);
    const auto found = by_bytes_.find(session);
    if (found == by_bytes_.end()) return false;
    const Sessions::iterator at = found->second;
    Leave(*at, left);
    by_bytes_.erase(found);
    sessions_.erase(at);
  }
  Abort(std::move(left));
  return true;
}

std::vector<std::string> SessionRegistry::EndIf(
    const std::function<bool(std::string_view session)>& pick) {
  std::vector<std::string> ended;
  std::vector<TransactionPtr> left;
  {
    MutexLock lock(mutex_);
    for (auto at = sessions_.begin(); at != sessions_.end();) {
      const auto each = at++;
      if (!pick(each->bytes)) continue;
      ended.push_back(each->bytes);
      Leave(*each, left);
      by_bytes_.erase(each->bytes);
      sessions_.erase(each);
    }
  }
  Abort(std::move(left));
  return ended;
}

std::vector<std::string> SessionRegistry::Expire() {
  const Micros now = clock_.Monotonic();
  std::vector<std::string> expired;
  std::vector<TransactionPtr> left;
  {
    MutexLock lock(mutex_);
    while (!sessions_.empty() && IsExpired(sessions_.front(), now)) {
      expired.push_back(sessions_.front().bytes);
      Leave(sessions_.front(), left);
      by_bytes_.erase(sessions_.front().bytes);
      sessions_.pop_front();
    }
  }
  Abort(std::move(left));
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
