// A MongoTransaction is one transaction of one session: its state as clients know it, the
// transaction of the core that it begins with its first statement, and the services by which
// statements read and write in it.
//
// Its statements run one after the other, on the I/O pool, whichever connections they come from:
// all but Post and state() are for them. It ends by a commit, an abort, an error of a statement, a
// newer transaction of the session, the session's end, or its age.
//
// Post, state and began are thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "api/mongo/catalog/namespace.h"
#include "api/mongo/command/services.h"
#include "api/mongo/error/mongo_error.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "gateway/snapshot/snapshot_transaction.h"

namespace orrery::mongo {

class MongoTransaction : public std::enable_shared_from_this<MongoTransaction> {
 public:
  // Statements that wait for their turn.
  static constexpr size_t kWaitingMax = 1'000;

  enum class State : uint8_t {
    kInProgress,
    kCommitted,
    kAborted,
    kUnknown,  // the commit was not answered: it is settled when it is asked for again
  };

  // The services must outlive it.
  MongoTransaction(const MongoServices& services, std::string session, int64_t number)
      : base_(services),
        session_(std::move(session)),
        number_(number),
        began_(services.clock.Monotonic()) {}
  ~MongoTransaction();

  int64_t number() const { return number_; }
  Micros began() const { return began_; }
  State state() const { return state_.load(std::memory_order_acquire); }

  // Runs `work` when those before it are through. False when too many wait.
  using Work = std::move_only_function<void()>;
  [[nodiscard]] bool Post(Work work) EXCLUDES(mutex_);

  // Takes the snapshot, at the first call.
  Outcome Begin();
  // The services of statements. REQUIRES: begun, and in progress.
  const MongoServices& services() const { return *services_; }
  gateway::SnapshotTransaction& core() { return *core_; }
  // Collections that it has made.
  std::set<std::string>& created() { return created_; }
  std::set<std::string>& written() { return written_; }

  // Why a statement cannot run: the transaction was committed or aborted.
  Outcome CheckInProgress() const;
  // Commits; again, once committed, does nothing. The error says whether to try again.
  Outcome Commit();
  void Abort();
  // Notes that a cursor reads in it. The owner of its cursors ends with this and the session.
  void NoteCursor() { has_cursors_ = true; }
  std::string CursorTag() const { return CursorTagOf(number_); }
  static std::string CursorTagOf(int64_t number);

  // The error of a statement that failed as the core says; nullopt: it did not.
  std::optional<MongoError> Failure() const;

 private:
  void RunPosted() EXCLUDES(mutex_);
  void End(State state);
  Outcome Settle();

  const MongoServices& base_;
  const std::string session_;
  const int64_t number_;
  const Micros began_;
  std::atomic<State> state_ = State::kInProgress;

  // Of the statement that runs.
  std::shared_ptr<gateway::SnapshotTransaction> core_;
  std::optional<MongoServices> services_;
  std::set<std::string> created_;
  std::set<std::string> written_;
  bool has_cursors_ = false;

  Mutex mutex_;
  std::deque<Work> waiting_ GUARDED_BY(mutex_);
  bool runs_ GUARDED_BY(mutex_) = false;
};

// The name and the bytes of the receipt that a commit leaves.
struct CommitReceipt {
  std::string name;
  std::string bytes;
};
CommitReceipt ReceiptOf(std::string_view session, int64_t number);

// kNoSuchTransaction, with the label by which drivers begin anew.
MongoError TransactionWasAborted(int64_t number);
// Adds the label if the whole transaction may succeed when it is run again.
void AddTransientLabel(MongoError& error);

}  // namespace orrery::mongo
