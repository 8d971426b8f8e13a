// A SessionRegistry knows the logical sessions that clients use on this node: when each was used
// last, and its newest transaction number.
//
// It is a cache that a restart may lose: what keeps a retried write from being done twice is stored
// beside the documents (executor/retry/retry_statements.h). Sessions that nobody uses for 30
// minutes are forgotten; at most kSessionsMax are known at once.
//
// Thread-safe.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/mongo/command/transaction/transaction_call.h"
#include "api/mongo/error/mongo_error.h"
#include "base/clock.h"
#include "base/mutex.h"

namespace orrery::mongo {

inline constexpr int32_t kSessionTimeoutMinutes = 30;
inline constexpr int64_t kTransactionLifetimeSeconds = 60;
inline constexpr int64_t kSnapshotLifetimeSeconds = 300;

class MongoTransaction;
struct MongoServices;

class SessionRegistry {
 public:
  static constexpr size_t kSessionsMax = 200'000;

  // `clock` must outlive it.
  explicit SessionRegistry(const Clock& clock, size_t sessions_max = kSessionsMax)
      : clock_(clock), sessions_max_(sessions_max) {}

  // Notes that a session is used, with a transaction number if the command has one.
  // kTooManyLogicalSessions; kTransactionTooOld when a newer number was used.
  Outcome Use(std::string_view session, std::optional<int64_t> number) EXCLUDES(mutex_);

  // Finds the transaction that a command of the session names, or makes it. A newer number aborts
  // the transaction of the one before. kTransactionTooOld, kConflictingOperationInProgress,
  // kNoSuchTransaction. The services must outlive the transaction.
  Answer<std::shared_ptr<MongoTransaction>> EnterTransaction(const MongoServices& services,
                                                             std::string_view session,
                                                             const TransactionCall& call)
      EXCLUDES(mutex_);
  // Keeps the snapshot of a session's reads outside transactions, in place of the one before.
  void KeepSnapshot(std::string_view session, std::shared_ptr<MongoTransaction> snapshot)
      EXCLUDES(mutex_);
  // Returns it if it is of that time; null: the session has no such snapshot.
  std::shared_ptr<MongoTransaction> FindSnapshot(std::string_view session, uint64_t timestamp)
      EXCLUDES(mutex_);

  // Aborts transactions that have lived for their time, and drops old snapshots. Call it every
  // second.
  void AbortOldTransactions() EXCLUDES(mutex_);
  // Aborts all that are open.
  void AbortTransactions() EXCLUDES(mutex_);

  // The time that a transaction may live.
  std::chrono::seconds transaction_lifetime() const {
    return std::chrono::seconds(transaction_seconds_.load(std::memory_order_relaxed));
  }
  void set_transaction_lifetime(std::chrono::seconds lifetime) {
    transaction_seconds_.store(lifetime.count(), std::memory_order_relaxed);
  }

  // Forgets a session, and aborts its transaction. Returns whether it was known.
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
  using TransactionPtr = std::shared_ptr<MongoTransaction>;
  struct Session {
    std::string bytes;
    Micros used{0};
    std::optional<int64_t> number;
    TransactionPtr transaction = nullptr;  // that has the number; null: a retryable write has it
    TransactionPtr snapshot = nullptr;     // of reads outside transactions
  };
  using Sessions = std::list<Session>;  // the one that was used last at the end

  // Takes the session, at the end of the list.
  Answer<Session*> Touch(std::string_view session) REQUIRES(mutex_);
  // Notes that a transaction is over for its session. Aborted by the caller, without the lock.
  void Leave(Session& session, std::vector<TransactionPtr>& left) REQUIRES(mutex_);
  static void Abort(std::vector<TransactionPtr> transactions);

  bool IsExpired(const Session& session, Micros now) const;

  const Clock& clock_;
  const size_t sessions_max_;
  std::atomic<int64_t> transaction_seconds_{kTransactionLifetimeSeconds};
  mutable Mutex mutex_;
  std::vector<TransactionPtr> open_ GUARDED_BY(mutex_);        // in the order of their beginning
  std::vector<std::string> with_snapshot_ GUARDED_BY(mutex_);  // sessions, maybe more than once
  Sessions sessions_ GUARDED_BY(mutex_);
  std::unordered_map<std::string_view, Sessions::iterator> by_bytes_ GUARDED_BY(mutex_);
};

}  // namespace orrery::mongo
