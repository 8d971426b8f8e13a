// Index builds bring the items that exist to a container's new indexing policy or ttl, in the
// background, through the same sequencers as all writes.
//
// A build is not remembered here: the catalog's record says that one is due, and it starts over
// after a crash, which does no harm. It survives splits and merges: it walks ranges of the ring,
// not partitions. One build runs at a time; others wait their turn.
//
// Thread-safe.
#pragma once

#include <functional>
#include <map>
#include <memory>

#include "base/ids.h"
#include "base/mutex.h"
#include "base/status.h"
#include "base/thread_pool.h"
#include "cluster/node.h"
#include "gateway/catalog/catalog_entries.h"

namespace orrery::gateway {

class IndexBuilds {
 public:
  // Called on the build's thread when every item follows the entry's settings.
  using Finished = std::function<Status(ContainerId id, uint64_t version)>;

  explicit IndexBuilds(Finished finished);
  ~IndexBuilds();

  // Begins when the last write through `former` (may be null) has ended. `node` must live until
  // Stop. REQUIRES: `entry` is published and `former` closed.
  void Start(cluster::Node& node, ContainerRef entry, std::shared_ptr<const WriterGate> former)
      EXCLUDES(mutex_);

  // 0 to 99 of a build that waits or runs; 0 when there is none.
  int Progress(ContainerId id) const EXCLUDES(mutex_);

  void WaitUntilIdle() EXCLUDES(mutex_);
  // Gives up what runs and waits; joins. Idempotent.
  void Stop() EXCLUDES(mutex_);

 private:
  void Run(cluster::Node& node, const ContainerEntry& entry, const WriterGate* former);
  Status Walk(cluster::Node& node, const ContainerEntry& entry);
  // True when it is time to stop. Waits a little, for a partition that is too busy to take more.
  bool PauseOrStop() EXCLUDES(mutex_);
  bool stopping() const EXCLUDES(mutex_);
  void SetProgress(ContainerId id, int percent) EXCLUDES(mutex_);
  void End(ContainerId id) EXCLUDES(mutex_);

  const Finished finished_;
  mutable Mutex mutex_;
  CondVar changed_;
  std::map<ContainerId, int> percent_ GUARDED_BY(mutex_);  // of builds that wait or run
  bool stopping_ GUARDED_BY(mutex_) = false;
  ThreadPool pool_;
};

}  // namespace orrery::gateway
