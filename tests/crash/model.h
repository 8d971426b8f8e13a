// The model kept outside the server: what clients asked and were told since the last check, for
// each container, and which containers there should be.
//
// Workers record while they run; the checker takes it apart when they have stopped, and what it
// found stored becomes the certain beginning of the next history. Thread-safe.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "base/mutex.h"
#include "crash/history.h"

namespace orrery::crash {

// The properties of a container that the workload uses and the checker checks.
struct ContainerTraits {
  std::string name;
  std::string settings;  // the JSON it is made from
  bool keeps_versions = false;
  bool expires = false;
  bool own_partitions = false;
};

class ContainerModel {
 public:
  explicit ContainerModel(ContainerTraits traits) : traits_(std::move(traits)) {}

  const ContainerTraits& traits() const { return traits_; }

  // Between Begin and End the outcome is unknown. The handle is good until Rebase.
  size_t Begin(const Transaction& transaction) EXCLUDES(mutex_);
  void End(size_t handle, const Transaction& transaction) EXCLUDES(mutex_);
  void Add(Read read) EXCLUDES(mutex_);

  // The last version of a key that somebody saw, as an etag to try.
  std::optional<uint64_t> LastSeen(const Key& key) const EXCLUDES(mutex_);

  // REQUIRES of the rest: no worker runs.
  const History& history() const NO_THREAD_SAFETY_ANALYSIS { return history_; }
  void Rebase(State state) EXCLUDES(mutex_);

  // Feed positions that the checker goes on from.
  std::string versions_position;
  std::string latest_position;  // some cycles old
  State latest_position_state;  // what was stored then

 private:
  const ContainerTraits traits_;
  mutable Mutex mutex_;
  History history_ GUARDED_BY(mutex_);
  std::map<Key, uint64_t> seen_ GUARDED_BY(mutex_);
};

// Containers that come and go, and a setting that changes: each acknowledged change holds, one of
// unknown outcome may.
class CatalogModel {
 public:
  void Began(const std::string& container, bool created) EXCLUDES(mutex_);
  void Ended(const std::string& container, bool created, Outcome outcome) EXCLUDES(mutex_);
  void ThroughputBegan(const std::string& container, int64_t wanted) EXCLUDES(mutex_);
  void ThroughputEnded(const std::string& container, int64_t wanted, Outcome outcome)
      EXCLUDES(mutex_);

  // Compares, and takes what was found as certain.
  Violations Check(const std::set<std::string>& found) EXCLUDES(mutex_);
  Violations CheckThroughput(const std::string& container, int64_t found) EXCLUDES(mutex_);

 private:
  // A value that is certain, and ones that may hold instead.
  template <typename T>
  struct Setting {
    T certain{};
    std::set<T> maybe;
  };
  Mutex mutex_;
  std::map<std::string, Setting<bool>> containers_ GUARDED_BY(mutex_);
  std::map<std::string, Setting<int64_t>> throughput_ GUARDED_BY(mutex_);
};

}  // namespace orrery::crash
