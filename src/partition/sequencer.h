// A Sequencer puts the writes of one physical partition in order and makes them durable in groups.
//
// It takes mutations from all connections, evaluates them one after another against the state,
// builds one batch, makes one synced write, and then completes all callers. While a write is being
// synced the next group forms ("group while busy": there is no timer), so that a lone write pays
// one sync and a thousand concurrent ones share it.
//
// Under load the stages of neighbouring groups overlap. There are two turns, each had by one worker
// at a time: to evaluate (the queue's next mutations join the group that forms, and see the group
// that is being written) and to write. A group is sealed by a worker that has both. So positions,
// evaluations and writes keep their order; completions of neighbouring groups may mix. When a write
// fails, everything evaluated after it fails too: it may have seen what was lost.
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
#include "base/cluster_clock.h"
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
  // Decides and writes, one mutation at a time, in submission order. An error takes back what it
  // wrote and becomes its outcome; the rest of the group goes on. May run again, after a kMoved, in
  // another sequencer.
  virtual Status Evaluate(GroupWriter& writer) = 0;
  // Exactly once for each Submit: after the group is durable, or with the error. kMoved and
  // kOverloaded promise that nothing was written; `self` may then be submitted elsewhere. Others'
  // Evaluate and Complete may run meanwhile. Must not block.
  virtual void Complete(std::unique_ptr<Mutation> self, Result<Lsn> outcome) = 0;
  // For the limit on what one group holds.
  virtual size_t bytes() const = 0;
};

// Is told of each group; writes what the group as a whole adds (running totals).
class GroupObserver {
 public:
  virtual ~GroupObserver() = default;
  // After all mutations of a group were evaluated; may still write. No mutation is evaluated
  // meanwhile; those evaluated later are of the next group.
  virtual void BeforeCommit(GroupWriter& writer) = 0;
  // For each BeforeCommit, before the next one. Mutations of the next group may be evaluated
  // meanwhile, on another thread.
  virtual void AfterCommit(bool durable) = 0;
};

struct SequencerOptions {
  storage::Durability durability = storage::Durability::kDurable;
  size_t queue_max = 16'384;  // mutations waiting; more get kOverloaded
  size_t queue_bytes_max = 64 << 20;
  size_t group_max = 1'024;  // mutations in one write
  size_t group_bytes_max = 4 << 20;
  // Mutations that must wait before a second worker evaluates them while a group is being written:
  // fewer are not worth waking it, unless they are large.
  size_t look_ahead_min = 32;
  size_t look_ahead_bytes_min = 64 << 10;
  // Gives the times of writes; null: each sequencer takes its own from the clock. Must outlive it.
  ClusterClock* times = nullptr;
  KeyWatch* watch = nullptr;  // of the entries that mutations write; must outlive the sequencer
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

  // The same for one of several that come at once. True: the caller must call Start() when they
  // are all here.
  [[nodiscard]] bool SubmitQuietly(std::unique_ptr<Mutation> mutation) EXCLUDES(mutex_);
  void Start() EXCLUDES(mutex_);

  // Waits for all that was begun to be written and completed, and holds back the rest; Submit goes
  // on queueing. Nests: each Pause needs its Resume. Not from the sequencer's own pool thread.
  void Pause() EXCLUDES(mutex_);
  void Resume() EXCLUDES(mutex_);

  // Ends the sequencer: waits as Pause does, completes everything queued and
  // everything submitted later with `why` (kMoved after a split, kCancelled at shutdown).
  // Not from Complete() of one of its own mutations.
  void Retire(const Error& why) EXCLUDES(mutex_);

  // Last position that is durable. Later reads see at least this.
  Lsn last_committed() const { return Lsn(last_committed_.load(std::memory_order_acquire)); }
  // Returns the position of a paused sequencer. REQUIRES: between Pause and Resume.
  Position PausedPosition() const EXCLUDES(mutex_);

  SequencerStats Stats() const EXCLUDES(mutex_);

 private:
  struct Evaluated {
    std::unique_ptr<Mutation> mutation;
    Result<Lsn> outcome;
  };
  // A group on its way to the engine.
  struct Sealed {
    std::vector<Evaluated> mutations;
    Lsn last;
    bool changed = false;
  };

  Sequencer(storage::Engine& engine, ThreadPool& pool, const Clock& clock, GroupObserver* observer,
            SequencerOptions options);
  // Runs on the pool, with the turn to evaluate: evaluates, then writes a group if it is time to.
  void Run() EXCLUDES(mutex_);
  void EvaluateQueued() EXCLUDES(mutex_);
  Evaluated Evaluate(std::unique_ptr<Mutation> mutation);
  Micros NextTime() const;
  bool TakeQueued(std::vector<std::unique_ptr<Mutation>>& taken) EXCLUDES(mutex_);
  // Takes the turn to write, when there is something to write and nobody writes; else gives the
  // turn to evaluate back and returns false.
  bool TakeWriteToken() EXCLUDES(mutex_);
  // REQUIRES: both turns. Gives the one to evaluate back.
  Sealed SealGroup() EXCLUDES(mutex_);
  // REQUIRES: the turn to write.
  Status Write(const Sealed& group);
  // Gives the turn to write back. True: the caller has the turn to evaluate again and must run on,
  // because the pool takes no task.
  bool EndWrite() EXCLUDES(mutex_);
  void Complete(Sealed group, const Status& written) EXCLUDES(mutex_);

  // Queues the mutation, or says why not and leaves it.
  std::optional<Error> EnqueueLocked(std::unique_ptr<Mutation>& mutation) REQUIRES(mutex_);
  bool FitsLocked() const REQUIRES(mutex_);
  bool HasWorkLocked() const REQUIRES(mutex_);
  bool IdleLocked() const REQUIRES(mutex_);
  // Gets a worker for the turn to evaluate when one is needed. False when the pool refused.
  bool ScheduleLocked() REQUIRES(mutex_);
  void WaitUntilIdleLocked() REQUIRES(mutex_);

  storage::Engine& engine_;
  ThreadPool& pool_;
  const Clock& clock_;
  GroupObserver* const observer_;
  const SequencerOptions options_;

  // Of the turn to evaluate.
  GroupWriter writer_;  // its sealed group is of the turn to write
  Position last_;
  std::vector<Evaluated> forming_;

  // Of the turn to write.
  std::optional<Error> broken_;  // why a write failed: none is made after it

  std::atomic<uint64_t> last_committed_{0};

  mutable Mutex mutex_;
  CondVar idle_;
  std::deque<std::unique_ptr<Mutation>> queue_ GUARDED_BY(mutex_);
  size_t queue_bytes_ GUARDED_BY(mutex_) = 0;
  size_t forming_count_ GUARDED_BY(mutex_) = 0;  // taken from the queue for the group that forms
  size_t forming_bytes_ GUARDED_BY(mutex_) = 0;
  bool evaluating_ GUARDED_BY(mutex_) = false;  // somebody has the turn, or is on the way to it
  bool writing_ GUARDED_BY(mutex_) = false;
  bool start_promised_ GUARDED_BY(mutex_) = false;  // by a caller of SubmitQuietly
  size_t completing_ GUARDED_BY(mutex_) = 0;        // groups written whose callers are being told
  int pauses_ GUARDED_BY(mutex_) = 0;
  std::optional<Error> retired_ GUARDED_BY(mutex_);
  SequencerStats stats_ GUARDED_BY(mutex_);
};

}  // namespace orrery::partition
