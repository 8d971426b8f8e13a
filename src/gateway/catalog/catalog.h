// The catalog: which databases and containers exist and how they are set. The one authority on
// names, throughput and policies.
//
// Reads look at an immutable snapshot. Every change is validated against the newest one, committed
// durably together with the partitions it needs (cluster::Node::Apply), and then published; two
// changes never interleave, and nothing is published that was not committed.
//
// Made before the Node, which asks it for schemas; changes need Connect(). Disconnect() before the
// node stops. Thread-safe.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/cluster_clock.h"
#include "base/ids.h"
#include "base/mutex.h"
#include "base/published.h"
#include "base/status.h"
#include "cluster/node.h"
#include "cluster/system/system_store.h"
#include "gateway/catalog/catalog_entries.h"
#include "gateway/catalog/catalog_event.h"
#include "gateway/catalog/container_settings.h"
#include "gateway/change_bell.h"
#include "gateway/index_builds.h"
#include "partition/limits.h"
#include "partition/rate/throughput.h"

namespace orrery::gateway {

// Databases and containers together.
inline constexpr size_t kCatalogEntriesMax = 100'000;

class Catalog {
 public:
  // Reads the stored catalog. `system` must outlive it, and so must `computed`, which makes what
  // indexes have of documents beside their fields (none: no container may have such).
  static Result<std::unique_ptr<Catalog>> Load(cluster::SystemStore& system,
                                               partition::Limits limits,
                                               const item::ComputedMaker* computed = nullptr);
  ~Catalog();

  // Has events of changes written, with times of this clock, which must outlive the catalog;
  // without it there are none. Call before Connect.
  Status UseTimes(ClusterClock& times);
  // Rung by the gateway for each change of a container whose feed keeps all versions, and by the
  // catalog for each change of itself.
  ChangeBell& bell() const { return bell_; }

  // Returns events after a time, in order; `limit` at most.
  Result<std::vector<CatalogEvent>> ReadEvents(Micros after, size_t limit) const;
  // Returns a time up to which all events are to be read; no later one has an earlier time.
  Micros EventsCompleteUntil() const;
  // Forgets events before a time, and drops for good what was dropped before `dropped_before`.
  Status PurgeHistory(Micros events_before, Micros dropped_before) EXCLUDES(change_mutex_);

  // Allows changes. `node` must outlive the connection, and so must `remote`, the way to other
  // nodes (none on a single machine, which goes on with the index builds that its last stop
  // interrupted).
  void Connect(cluster::Node& node, RemoteGateway* remote = nullptr) EXCLUDES(change_mutex_);
  // Begins all index builds that are due and not under way here. For the manager of a cluster, when
  // a node is gone that may have been building; one that another node has under way is done twice,
  // which does no harm. REQUIRES: connected.
  void ResumeBuilds() EXCLUDES(change_mutex_);
  // The system store was changed, maybe by another node of the cluster: shows what it has of
  // databases and containers now. Returns when no write by what was before is
  // under way here.
  Status Follow() EXCLUDES(publish_mutex_);
  // Ends background work; what is unfinished goes on after the next start. No changes after this.
  void Disconnect() EXCLUDES(change_mutex_);

  std::shared_ptr<const CatalogSnapshot> snapshot() const { return snapshot_.Load(); }
  // Returns whether a snapshot is the newest.
  bool IsNewest(const CatalogSnapshot& snapshot) const { return snapshot_.IsNewest(&snapshot); }
  // kNotFound with the name that is missing.
  Result<ContainerRef> FindContainer(std::string_view database, std::string_view container) const;
  Result<DatabaseEntry> FindDatabase(std::string_view name) const;
  // Null when unknown; what cluster::SchemaSource wants. Knows a container as soon as its creation
  // begins, so that its partitions are opened by its rules.
  std::shared_ptr<const item::ContainerSchema> Schema(ContainerId id) const
      EXCLUDES(pending_mutex_);
  // For Node::Open.
  std::map<cluster::ThroughputOwner, partition::ThroughputSettings> Throughputs() const;

  // kAlreadyExists when the name is taken. With throughput: containers without their own share it.
  Result<DatabaseEntry> CreateDatabase(std::string name, partition::ThroughputSettings throughput,
                                       std::optional<model::Document> extra = std::nullopt)
      EXCLUDES(change_mutex_);
  // Replaces what an API keeps about the database. kNotFound, kTooLarge. With `made_of`, the entry
  // that the change was made of: kPreconditionFailed when it is not the newest any more, because
  // somebody, maybe of another node, was faster; look again and make the change anew.
  Result<DatabaseEntry> UpdateDatabase(std::string_view name, std::optional<model::Document> extra,
                                       const DatabaseEntry* made_of = nullptr)
      EXCLUDES(change_mutex_);
  Status DropDatabase(std::string_view name) EXCLUDES(change_mutex_);  // and its containers
  // A container that would be without throughput, its own or shared, gets `fallback`: it lives in
  // the shared pool, so that making it stays cheap, and pays from a budget of its own there. At
  // most what one partition carries.
  Result<ContainerRef> CreateContainer(std::string_view database, ContainerSettings settings,
                                       partition::ThroughputSettings fallback = {},
                                       std::optional<model::Document> note = std::nullopt)
      EXCLUDES(change_mutex_);
  // One whose feed keeps all versions stays for the readers of that (ContainerEntry::dropped_at)
  // until PurgeHistory.
  Status DropContainer(std::string_view database, std::string_view container)
      EXCLUDES(change_mutex_);
  // Empties a container, in a time that does not grow with what is in it: it gets a new id, and the
  // former one's data goes in the background, as that of a dropped container does. In one commit,
  // so that a crash leaves all of the items or none. What was acknowledged before the call is gone;
  // what is written after it returns stays, also by a caller that still holds the former entry.
  // Settings, throughput and extra stay; every index is built. Continuations of scans and feeds
  // made before are refused. Writes under way are done before it returns: in a container with
  // partitions of its own they may be refused with kNotFound.
  Result<ContainerRef> TruncateContainer(std::string_view database, std::string_view container)
      EXCLUDES(change_mutex_);
  // Gives a container another name, in the same database or in another that exists. With
  // `replaces` a container of that name is dropped in the same commit, so that the name always
  // means one of the two; without, it is kAlreadyExists. The container keeps its id: what is under
  // way in it goes on. kUnsupported for one that shares the throughput of a database that it would
  // leave.
  Result<ContainerRef> RenameContainer(std::string_view database, std::string_view container,
                                       std::string_view to_database, std::string_view to_container,
                                       bool replaces) EXCLUDES(change_mutex_);

  // Changes what may change on a container that exists (settings.name): indexing, default_ttl_s,
  // feed retention and extra; of a container of rows also their indexes and gc_grace_s. Key paths,
  // order, hashing, unique keys and throughput are refused here. New indexes and a new ttl hold for
  // new writes at once; existing items follow in the background (IndexProgress). Until then another
  // such change is kPreconditionFailed, but rows may get further indexes: each is there when
  // ContainerEntry::HasBuiltRowIndex says so. `made_of` as in UpdateDatabase.
  // With a note there is an event of it. When the feed begins to keep all versions, no write that
  // does not is under way on return.
  Result<ContainerRef> UpdateContainer(std::string_view database, const ContainerSettings& settings,
                                       const ContainerEntry* made_of = nullptr,
                                       std::optional<model::Document> note = std::nullopt)
      EXCLUDES(change_mutex_);
  // Sets the throughput of a container with its own, or of a database that shares one. Manual and
  // autoscale can be exchanged; none cannot. Below the minimum is refused with the minimum's value,
  // and in the shared pool more than one partition carries.
  Status SetThroughput(std::string_view database, std::optional<std::string_view> container,
                       partition::ThroughputSettings throughput) EXCLUDES(change_mutex_);
  // The least that SetThroughput would take now, for the kind of throughput it has; 0 without any.
  Result<int64_t> MinimumThroughput(std::string_view database,
                                    std::optional<std::string_view> container) const;

  // 0 to 100: how far the items of a container follow its last UpdateContainer. kNotFound.
  Result<int> IndexProgress(ContainerId id) const;
  // Returns when no build is under way or Disconnect was called.
  void WaitForIndexes() { builds_.WaitUntilIdle(); }
  // The same for one container: tells why its items could not follow `entry`, which was then taken
  // back: of its settings the indexing is again the former one. For the node that has made it.
  std::optional<IndexBuildFailure> WaitForIndexes(const ContainerEntry& entry) {
    return builds_.Await(entry.id, entry.version);
  }

 private:
  Catalog(cluster::SystemStore& system, partition::Limits limits,
          const item::ComputedMaker* computed);

  // Reads the entries of the system store. Entries that are in `former` too stay the same.
  Result<CatalogSnapshot> ReadStored(const CatalogSnapshot& former) const;
  // Copies to an entry what it keeps of `former`, which it replaces.
  static void Inherit(ContainerEntry& entry, const ContainerEntry& former);
  // Shows `next`, unless a later one is shown already.
  void Publish(CatalogSnapshot next) EXCLUDES(publish_mutex_);
  // Fills in what follows from the rest: schema, gate and budget.
  Status Complete(ContainerEntry& entry) const;
  Status CheckRoom(const CatalogSnapshot& snapshot) const;
  Result<cluster::TopologyChange> Place(const ContainerEntry& entry) const;
  // Commits `change` and then shows `next`, which was made of the newest; on an error neither
  // happens. kMoved when another node was faster, or partitions changed meanwhile.
  Status Commit(const cluster::TopologyChange& topology, cluster::SystemStore::Change change,
                CatalogSnapshot next, std::vector<CatalogEvent> events = {})
      REQUIRES(change_mutex_);
  // The event of a change of a container; none of one of rows.
  static std::vector<CatalogEvent> EventOf(CatalogEventKind kind, const ContainerEntry& entry,
                                           std::optional<model::Document> note = std::nullopt);
  // Adds the end of a container to a change: its record, or that it was dropped. Returns whether
  // it stays for the readers of its feed.
  bool AddDrop(const ContainerRef& entry, cluster::TopologyChange& topology,
               cluster::SystemStore::Change& change, CatalogSnapshot& next);
  // `replaced` (may be null) goes in the same commit.
  Result<ContainerRef> CommitCreation(ContainerEntry entry, const ContainerRef& replaced,
                                      std::optional<model::Document> note = std::nullopt)
      REQUIRES(change_mutex_);
  Status CommitEntry(ContainerEntry entry, std::optional<model::Document> note = std::nullopt)
      REQUIRES(change_mutex_);
  Status SetDatabaseThroughput(const DatabaseEntry& database,
                               partition::ThroughputSettings throughput) REQUIRES(change_mutex_);
  Status SetContainerThroughput(const ContainerEntry& container,
                                partition::ThroughputSettings throughput) REQUIRES(change_mutex_);
  partition::ThroughputHistory HistoryOf(const DatabaseEntry& database,
                                         const CatalogSnapshot& snapshot) const;
  partition::ThroughputHistory HistoryOf(const ContainerEntry& container) const;
  uint64_t StoredBytes(cluster::ThroughputOwner throughput_owner) const;
  uint64_t StoredBytes(const ContainerEntry& container) const;
  // Checks that it may have so much throughput in the shared pool.
  Status CheckSharedPoolThroughput(const ContainerEntry& container,
                                   partition::ThroughputSettings throughput) const;
  void StartBuildsThatAreDue() REQUIRES(change_mutex_);
  // Called by the builds when the items of a container follow its settings.
  Status FinishIndexBuild(const IndexBuild& build) EXCLUDES(change_mutex_);
  // Called by the builds when they cannot: returns to the indexing before.
  Status RevertIndexing(const IndexBuild& build) EXCLUDES(change_mutex_);

  cluster::SystemStore& system_;
  const partition::Limits limits_;
  const item::ComputedMaker* const computed_;
  Published<CatalogSnapshot> snapshot_;

  Mutex change_mutex_;  // held over a whole change, also while it is committed
  cluster::Node* node_ = nullptr;
  Mutex publish_mutex_;  // one publication at a time; taken last
  RemoteGateway* remote_ = nullptr;

  mutable Mutex pending_mutex_;
  std::shared_ptr<const item::ContainerSchema> pending_ GUARDED_BY(pending_mutex_);

  mutable ChangeBell bell_;
  ClusterClock* times_ = nullptr;
  std::atomic<bool> event_pending_{false};  // an event has its time and is not committed yet
  std::atomic<int64_t> last_event_{0};      // the time of the last one that is committed

  IndexBuilds builds_;

  // Makes a change, again for as long as others are faster (kMoved).
  template <typename Make>
  std::invoke_result_t<Make> Persist(Make make) REQUIRES(change_mutex_);
};

}  // namespace orrery::gateway
