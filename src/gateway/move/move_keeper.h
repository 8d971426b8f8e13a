// The MoveKeeper runs the moves of a server, each on a thread of its own, and goes on after a start
// with those that the last stop interrupted. Those that are over it remembers, the newest ones.
//
// On a single machine only: in a cluster no node can hold up the writers of all.
//
// Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"
#include "cluster/system/system_store.h"
#include "gateway/gateway.h"
#include "gateway/move/container_mover.h"
#include "gateway/move/move_record.h"
#include "gateway/row/row_gateway.h"

namespace orrery::gateway {

class MoveKeeper {
 public:
  static constexpr size_t kMovesMax = 4;       // under way
  static constexpr size_t kRememberedMax = 50;  // that are over

  // All must outlive it.
  struct Parts {
    Gateway& gateway;
    Gateway& unmetered;  // the same, on nobody's budget
    RowGateway& rows;
    cluster::SystemStore& system;
    partition::Reservations& reservations;
    const Clock& clock;
    bool in_cluster = false;
  };
  explicit MoveKeeper(const Parts& parts) : parts_(parts) {}
  ~MoveKeeper() { Stop(); }

  // Goes on with what a stop interrupted. Once, when partitions are open.
  Status Resume() EXCLUDES(mutex_);

  // Begins to move a container; `changes` as SettingsOfMove. kAlreadyExists: it is being moved;
  // kOverloaded: others are; kUnsupported in a cluster.
  Result<MoveRecord> Start(std::string_view database, std::string_view container,
                           model::DocumentView changes) EXCLUDES(mutex_);
  // Newest first.
  std::vector<MoveRecord> List() const EXCLUDES(mutex_);
  Result<MoveRecord> Find(uint64_t number) const EXCLUDES(mutex_);
  // Gives up a move that is under way, and waits for the end of it: the source is as it was, the
  // target is gone. Forgets one that is over.
  Status Remove(uint64_t number) EXCLUDES(mutex_);

  // Interrupts all; they go on after the next start. Idempotent.
  void Stop() EXCLUDES(mutex_);

 private:
  struct Move {
    MoveRecord shown;                       // as it was stored last
    std::shared_ptr<ContainerMover> mover;  // while it is under way
    std::thread thread;
    bool is_cancelled = false;
  };

  void Launch(MoveRecord record) REQUIRES(mutex_);
  void Run(uint64_t number, const std::shared_ptr<ContainerMover>& mover) EXCLUDES(mutex_);
  Status Store(const MoveRecord& record, bool locks) EXCLUDES(mutex_);
  // Takes back what the move has made.
  Status GiveUp(const MoveRecord& record);
  // Stores how it ended, and unlocks its containers.
  Status End(MoveRecord record, MovePhase phase, std::string error) EXCLUDES(mutex_);
  void ForgetOldest() REQUIRES(mutex_);
  int64_t NowMs() const;

  const Parts parts_;
  mutable Mutex mutex_;
  CondVar ended_;
  std::map<uint64_t, Move> moves_ GUARDED_BY(mutex_);
  bool stopping_ GUARDED_BY(mutex_) = false;
};

}  // namespace orrery::gateway
