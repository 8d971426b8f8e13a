// A PartitionMonitor looks once a second at what partitions carry, refuse and hold, and keeps it:
// series in a History, and what is worth telling as events in an EventLog. Nothing of this is on
// the path of a request; the figures are those that partitions have anyway.
//
// A container that is metered in the shared pool is shown by its own budget there, as its
// partition is many containers'.
//
// Events: splits and merges as the node tells them, partitions that this node took over from
// another, episodes of throttling, and changes of containers as the catalog shows them. In a
// cluster each node tells those of its own partitions, and the series of all nodes' partitions are
// kept by each.
//
// Thread-safe. Tick() is called by one thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/metrics_text.h"
#include "base/mutex.h"
#include "gateway/gateway.h"
#include "gateway/history/event_log.h"
#include "gateway/history/history.h"
#include "gateway/view/cluster_view.h"
#include "gateway/view/inspection.h"
#include "gateway/view/key_naming.h"

namespace orrery::gateway {

class TopologyChanges;

// The load of a part of a container's ring that a partition has.
struct SliceLoad {
  size_t container = 0;  // place in LoadReport::containers
  uint64_t partition = 0;
  std::string begin;  // 32 hex digits, inclusive
  std::string last;
  uint64_t bytes = 0;
  uint64_t items = 0;
  std::optional<double> rate;  // none: unmetered
  double used = 0;             // of the last second
  uint64_t throttled = 0;      // in the last second that was looked at
  uint64_t throttled_total = 0;
  uint64_t node = 0;
  bool open = true;
};

struct LoadReport {
  struct Container {
    std::string database;
    std::string name;
    bool is_metered = false;
    std::string_view api;
  };
  std::vector<Container> containers;
  std::vector<SliceLoad> slices;  // in ring order within a container
};

class PartitionMonitor {
 public:
  // An episode of throttling is over when so many seconds passed without a refusal.
  static constexpr int64_t kQuietSeconds = 10;

  struct Parts {
    Gateway& gateway;
    const Clock& clock;
    TopologyChanges& changes;
    History& history;
    EventLog& events;
    const KeyNamings& names;
    std::optional<Inspection::Cluster> cluster;  // none on a single machine
  };
  // All must outlive it.
  explicit PartitionMonitor(const Parts& parts) : parts_(parts) {}

  // Looks at everything. In a cluster it asks the other nodes, for a second at most.
  void Tick() EXCLUDES(mutex_);

  // kNotFound for an unknown name.
  Result<LoadReport> Load(std::optional<std::string_view> database,
                          std::optional<std::string_view> container) const EXCLUDES(mutex_);
  // The past of a container's partitions; by its budget where it has one.
  std::vector<PartitionPast> PastOf(const ContainerEntry& container, size_t tier, int64_t from_s,
                                    int64_t to_s) const;

  // Sums of containers, changes of partitions with their pauses, and the highest second.
  void Collect(MetricsText& text) const EXCLUDES(mutex_);

  const History& history() const { return parts_.history; }
  EventLog& events() const { return parts_.events; }

 private:
  // Of a partition or of a budget, since the last look.
  struct Seen {
    RequestUnits used_total;
    uint64_t throttled_total = 0;
    uint64_t throttled_last = 0;
    Micros at{0};
    bool is_known = false;
  };
  struct Episode {
    uint64_t number = 0;  // of the event that told its beginning
    int64_t began_ms = 0;
    int64_t last_second = 0;  // with a refusal
    uint64_t refused = 0;
    Event event;
  };

  using Statistics = std::map<NodeId, std::vector<cluster::PartitionStatistics>>;

  // The mean RU/s and the refusals since the last look, by the totals.
  SeriesRow Look(PartitionId id, const partition::GovernorUsage& usage, Micros now)
      REQUIRES(mutex_);
  void SampleHere(const cluster::Topology& topology, std::vector<PartitionSample>& samples,
                  std::vector<Event>& events, int64_t second) REQUIRES(mutex_);
  void SampleBudgets(const CatalogSnapshot& catalog, const cluster::Topology& topology,
                     std::vector<PartitionSample>& samples, std::vector<Event>& events,
                     int64_t second) REQUIRES(mutex_);
  void SampleElsewhere(const cluster::Topology& topology, const Statistics& told,
                       std::vector<PartitionSample>& samples) REQUIRES(mutex_);
  void NoteThrottling(PartitionId id, uint64_t refused, int64_t second,
                      const cluster::PartitionRecord& record, std::vector<Event>& events)
      REQUIRES(mutex_);
  void EndEpisodes(int64_t second, std::vector<Event>& events) REQUIRES(mutex_);
  void NoteMoves(const cluster::Topology& topology, std::vector<Event>& events, int64_t now_ms)
      REQUIRES(mutex_);
  void NoteSettings(const CatalogSnapshot& catalog, std::vector<Event>& events, int64_t now_ms)
      REQUIRES(mutex_);
  // Names what the slices are of.
  void Name(const std::vector<cluster::Slice>& slices, Event& event) const;
  std::string HottestOf(PartitionId id, const cluster::PartitionRecord& record) const;

  const Parts parts_;

  mutable Mutex mutex_;
  std::map<PartitionId, Seen> seen_ GUARDED_BY(mutex_);
  std::map<PartitionId, Episode> episodes_ GUARDED_BY(mutex_);
  std::map<PartitionId, NodeId> owners_ GUARDED_BY(mutex_);
  std::shared_ptr<const CatalogSnapshot> catalog_ GUARDED_BY(mutex_);
  std::vector<ContainerRef> budgeted_ GUARDED_BY(mutex_);
  bool has_looked_ GUARDED_BY(mutex_) = false;
  // Since the start.
  struct Changes {
    uint64_t count = 0;
    double pause_s = 0;
    double longest_pause_s = 0;
  };
  std::map<std::string, Changes> changes_ GUARDED_BY(mutex_);
};

}  // namespace orrery::gateway
