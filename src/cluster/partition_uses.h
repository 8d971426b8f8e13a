// PartitionUses tracks which partitions' files this process uses: those it has open, also after
// they were dropped or replaced while a reader still has them, and those that it makes and has not
// recorded yet. It is asked before files of partitions that no record names are removed
// (manager/sweeper.h).
//
// Ids are given by the cluster's manager, who may be asked meanwhile: while one is on its way, any
// may be it.
//
// Thread-safe. Must outlive its uses.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/mutex.h"

namespace orrery::cluster {

class PartitionUses {
 public:
  class Use {
   public:
    Use(PartitionUses& uses, PartitionId id) : uses_(&uses), id_(id) { uses_->Add(id_); }
    ~Use() {
      if (uses_ != nullptr) uses_->Remove(id_);
    }
    Use(Use&& other) noexcept : uses_(std::exchange(other.uses_, nullptr)), id_(other.id_) {}
    Use& operator=(Use&&) = delete;

   private:
    PartitionUses* uses_;
    PartitionId id_;
  };

  // While the manager is asked for an id.
  class Reservation {
   public:
    explicit Reservation(PartitionUses& uses) : uses_(uses) { uses_.Begin(); }
    ~Reservation() { uses_.End(); }
    Reservation(const Reservation&) = delete;
    Reservation& operator=(const Reservation&) = delete;
    Use Took(PartitionId id) { return {uses_, id}; }

   private:
    PartitionUses& uses_;
  };

  // For the rest of the process: it is not known whether it was recorded, or will be.
  void Keep(PartitionId id) EXCLUDES(mutex_) { Add(id); }

  // Those of `ids` that are used, or may be.
  std::vector<PartitionId> Of(const std::vector<PartitionId>& ids) const EXCLUDES(mutex_);

 private:
  void Add(PartitionId id) EXCLUDES(mutex_);
  void Remove(PartitionId id) EXCLUDES(mutex_);
  void Begin() EXCLUDES(mutex_);
  void End() EXCLUDES(mutex_);

  mutable Mutex mutex_;
  std::map<PartitionId, int> used_ GUARDED_BY(mutex_);
  int being_taken_ GUARDED_BY(mutex_) = 0;
};

}  // namespace orrery::cluster
