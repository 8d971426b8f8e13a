// Index builds bring the items that exist to a container's new indexing policy, indexes or ttl, in
// the background, through the same sequencers as all writes.
//
// A build is not remembered here: the catalog's record says that one is due, and it starts over
// after a crash, which does no harm. It survives splits and merges: it walks ranges of the ring,
// not partitions, and each step is taken where the range is open, here or on another node
// (index_batch.h). In a cluster the node that changes the catalog builds, and when that is gone the
// manager (Catalog::ResumeBuilds); a partition whose node is gone is waited for. One build runs at
// a time, in the order in which they came; those of one container of rows may be several.
//
// Thread-safe.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/mutex.h"
#include "base/status.h"
#include "base/thread_pool.h"
#include "cluster/node.h"
#include "gateway/catalog/catalog_entries.h"

namespace orrery::gateway {

class RemoteGateway;

struct IndexBuild {
  ContainerRef entry;                        // as published
  std::shared_ptr<const WriterGate> former;  // of the entry before it, closed; may be null
  RowIndexWork rows;                         // of a container of rows: what is to be done
};

// The reason that items cannot follow a container's settings: two have the same key in a unique
// index, or one cannot be in it.
struct IndexBuildFailure {
  Error error;
  std::string conflict;  // an item::UniqueConflict; empty: none
};

class IndexBuilds {
 public:
  // Called on the build's thread when every item follows the entry's settings, or the rows are as
  // build.rows wants them.
  using Finished = std::function<Status(const IndexBuild& build)>;

  // Called on the build's thread when items cannot follow settings with a unique index that the
  // former ones did not have. Tells whether the settings were taken back.
  using Refused = std::function<Status(const IndexBuild& build)>;

  IndexBuilds(Finished finished, Refused refused);
  ~IndexBuilds();

  // The parts that find partitions. Both must live until Stop.
  struct Places {
    cluster::Node& node;
    RemoteGateway* remote = nullptr;  // to other nodes; none on a single machine
  };
  // Begins when the last write through the former gate has ended.
  void Start(Places places, IndexBuild build) EXCLUDES(mutex_);

  bool IsUnderWay(ContainerId id) const EXCLUDES(mutex_);  // or waits
  // 0 to 99 of a build that waits or runs; 0 when there is none.
  int Progress(ContainerId id) const EXCLUDES(mutex_);

  void WaitUntilIdle() EXCLUDES(mutex_);
  // Returns when no build of the container is under way, or Stop was called. The answer is why the
  // build of that version of it was refused; nullopt: it was not, or another has ended since.
  std::optional<IndexBuildFailure> Await(ContainerId id, uint64_t version) EXCLUDES(mutex_);
  // Gives up what runs and waits; joins. Idempotent.
  void Stop() EXCLUDES(mutex_);

 private:
  struct Progressing {
    int builds = 0;  // that wait or run
    int percent = 0;
  };

  void Run(const Places& places, const IndexBuild& build);
  Status BringItemsTo(const Places& places, const IndexBuild& build, std::string& conflict);
  void KeepFailure(const IndexBuild& build, IndexBuildFailure failure) EXCLUDES(mutex_);
  // Visits all items; of rows, for the indexes `rows` only.
  Status Walk(const Places& places, const ContainerEntry& entry, const std::vector<uint32_t>& rows,
              std::string& conflict);
  Status DropEntries(const Places& places, const ContainerEntry& entry, item::IndexId index);
  // After a step that failed: waits until it is time to take it again, or says why it is not to be.
  // `unreachable` counts how often in a row nobody was reached.
  Status AwaitNextTry(const Error& error, bool elsewhere, int& unreachable) EXCLUDES(mutex_);
  // True when it is time to stop.
  bool WaitOrStop(std::chrono::milliseconds pause) EXCLUDES(mutex_);
  bool stopping() const EXCLUDES(mutex_);
  void SetProgress(ContainerId id, int percent) EXCLUDES(mutex_);
  void End(ContainerId id) EXCLUDES(mutex_);

  // The last failures, by container, for whoever awaits them.
  struct Failed {
    uint64_t version = 0;
    IndexBuildFailure failure;
  };

  const Finished finished_;
  const Refused refused_;
  mutable Mutex mutex_;
  CondVar changed_;
  std::map<ContainerId, Progressing> progress_ GUARDED_BY(mutex_);
  std::map<ContainerId, Failed> failed_ GUARDED_BY(mutex_);
  bool stopping_ GUARDED_BY(mutex_) = false;
  ThreadPool pool_;
};

}  // namespace orrery::gateway
