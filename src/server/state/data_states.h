// DataStates are the states of all data that tests go back to: nothing at all, and named snapshots.
//
// A snapshot is a directory below the data directory:
//
//   snapshots/NAME/SYSTEM         the system store's databases, containers and partitions (below)
//   snapshots/NAME/partitions/N   a checkpoint of each physical partition, by its id then
//
//   SYSTEM := "orrery snapshot 1\n" taken_at:int64 entry*
//   entry  := size:uint32 key size:uint32 value          integers big-endian
//
// All partitions are paused while their checkpoints are made, so that a snapshot is of one moment;
// table files are shared by hard links, so that it copies no data. To restore one, its partitions
// are linked under new ids, and one commit of the system store replaces all databases, containers
// and partitions: a crash leaves the old state or the new one, and what no record names is removed
// at the next start. A reset is such a commit with nothing in place of what there was.
//
// Requests that are under way meanwhile may fail, and writes that are acknowledged while it goes on
// may belong to the old state. Thread-safe. On a single machine only.
#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "gateway/core.h"
#include "portal/handler/state_control.h"
#include "server/state/advanced_clock.h"

namespace orrery::server {

inline constexpr size_t kSnapshotsMax = 100;
inline constexpr size_t kSnapshotNameBytesMax = 100;

class DataStates final : public portal::StateControl {
 public:
  // `core` may come later (Connect); all must outlive it. `is_cluster`: every change is refused.
  DataStates(std::string data_directory, bool is_cluster, AdvancedClock& clock);
  // REQUIRES: before the first call of the others. Removes what a crash has left half-made.
  void Connect(gateway::Core& core);

  Status Reset() override;
  Status TakeSnapshot(std::string_view name, bool replaces) override;
  Status RestoreSnapshot(std::string_view name) override;
  Status DropSnapshot(std::string_view name) override;
  Result<std::vector<portal::SnapshotInfo>> ListSnapshots() override;
  Time CurrentTime() override;
  Result<Time> AdvanceTime(Micros by) override;

 private:
  using Entries = std::vector<std::pair<std::string, std::string>>;
  struct Snapshot {
    Micros taken_at{0};
    Entries entries;
  };
  class Turn;

  Result<Turn> TakeTurn();
  std::string PathOf(std::string_view name) const;
  // All that a state consists of, in the order of keys.
  Result<Entries> ReadEntries() const;
  Status WriteSnapshot(const std::string& path, const Snapshot& snapshot) const;
  Result<Snapshot> ReadSnapshot(std::string_view name) const;
  // Links and opens checkpoints of all partitions, and returns what the system store has beside
  // them.
  Result<Entries> CheckpointAll(const std::string& path) const;
  // Replaces everything by `entries` in one commit, and waits until it is served.
  Status Replace(const Entries& entries, cluster::SystemChange change) const;

  const std::string directory_;
  const bool is_cluster_;
  AdvancedClock& clock_;
  gateway::Core* core_ = nullptr;
  std::atomic<bool> busy_{false};
};

}  // namespace orrery::server
