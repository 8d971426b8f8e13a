// A Sequencer puts the writes of one physical partition in order and makes them durable in groups.
//
// It takes mutations from all connections, evaluates them one after another against the state,
// builds one batch, makes one synced write, and then completes all callers. While a write is being
// synced the next group gathers ("group while busy": there is no timer), so that a lone write pays
// one sync and a thousand concurrent ones share it.
//
// It knows nothing of items: what a mutation checks and writes is its own business.
//
// Thread-safe. The destructor calls Retire().
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "base/mutex.h"
#include "base/status.h"
#include "base/thread_pool.h"
#include "partition/group_writer.h"
#include "partition/meta_keys.h"
#include "storage/engine/engine.h"

namespace orrery::partition {

// One caller's transaction.
class Mutation {
 public:
  virtual ~Mutation() = default;
  // Decides and writes, on the sequencer's thread, in submission order. An error takes back what it
  // wrote and becomes its outcome; the rest of the group goes on. May run again, after a kMoved, in
  // another sequencer.
  virtual Status Evaluate(GroupWriter& writer) = 0;
  // Exactly once for each Submit: after the group is durable, or with the error. kMoved and
  // kOverloaded promise that nothing was written; `self` may then be submitted elsewhere.
  // Must not block.
  virtual void Complete(std::unique_ptr<Mutation> self, Result<Lsn> outcome) = 0;
  // For the limit on what one group holds.
  virtual size_t bytes() const = 0;
};

// Is told of each group; writes what the group as a whole adds (running totals).
class GroupObserver {
 public:
  virtual ~GroupObserver() = default;
  // After all mutations of a group were evaluated; may still write. On the sequencer's thread.
  virtual void BeforeCommit(GroupWriter& writer) = 0;
  virtual void AfterCommit(bool durable) = 0;
};

struct SequencerOptions {
  storage::Durability durability = storage::Durability::kDurable;
  size_t queue_max = 16'384;  // mutations waiting; more get kOverloaded
  size_t queue_bytes_max = 64 << 20;
  size_t group_max = 1'024;  // mutations in one write
  size_t group_bytes_max = 4 << 20;
};

struct SequencerStats {
  uint64_t groups = 0;
  uint64_t mutations = 0;
  uint64_t refused = 0;
};

class Sequencer {
 public:
  // Reads the last position from the engine. `engine`, `pool`, `clock` and `observer` (may be null)
  // must outlive the sequencer.
  static Result<std::unique_ptr<Sequencer>> Open(storage::Engine& engine, ThreadPool& pool,
                                                 const Clock& clock, GroupObserver* observer,
                                                 SequencerOptions options);
  ~Sequencer();

  void Submit(std::unique_ptr<Mutation> mutation) EXCLUDES(mutex_);

  // Waits for the group being written and holds back the rest; Submit goes on queueing.
  // Nests: each Pause needs its Resume. Not from the sequencer's own pool thread.
  void Pause() EXCLUDES(mutex_);
  void Resume() EXCLUDES(mutex_);

  // Ends the sequencer: waits for the group being written, completes everything queued and
  // everything submitted later with `why` (kMoved after a split, kCancelled at shutdown).
  // Not from Complete() of one of its own mutations.
  void Retire(const Error& why) EXCLUDES(mutex_);

  // Last position that is durable. Later reads see at least this.
  Lsn last_committed() const { return Lsn(last_committed_.load(std::memory_order_acquire)); }
  // Where a paused sequencer stands. REQUIRES: between Pause and Resume.
  Position PausedPosition() const EXCLUDES(mutex_);

  SequencerStats Stats() const EXCLUDES(mutex_);

 private:
  Sequencer(storage::Engine& engine, ThreadPool& pool, const Clock& clock, GroupObserver* observer,
            SequencerOptions options);
  // Runs on the pool, one at a time: commits groups until the queue is empty or paused.
  void Run() EXCLUDES(mutex_);
  void CommitGroup(std::vector<std::unique_ptr<Mutation>> group);
  void ScheduleLocked() REQUIRES(mutex_);
  bool TakeGroup(std::vector<std::unique_ptr<Mutation>>& group) EXCLUDES(mutex_);

  storage::Engine& engine_;
  ThreadPool& pool_;
  const Clock& clock_;
  GroupObserver* const observer_;
  const SequencerOptions options_;

  // Used by the one running worker only.
  GroupWriter writer_;
  Position last_;

  std::atomic<uint64_t> last_committed_{0};

  mutable Mutex mutex_;
  CondVar idle_;
  std::deque<std::unique_ptr<Mutation>> queue_ GUARDED_BY(mutex_);
  size_t queue_bytes_ GUARDED_BY(mutex_) = 0;
  bool running_ GUARDED_BY(mutex_) = false;
  int pauses_ GUARDED_BY(mutex_) = 0;
  std::optional<Error> retired_ GUARDED_BY(mutex_);
  SequencerStats stats_ GUARDED_BY(mutex_);
};

}  // namespace orrery::partition
