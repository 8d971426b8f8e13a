// Inspection is what a user may see of partitions, throughput and keys, and do about them: the one
// view below the gateway for the command line, the portal and /metrics. Plain types only.
//
// Thread-safe; every call looks at the moment of the call.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/metrics_text.h"
#include "base/status.h"
#include "cluster/node.h"
#include "cluster/peers.h"
#include "gateway/view/cluster_view.h"
#include "gateway/view/peer_statistics.h"

namespace orrery::storage {
class EngineResources;
}

namespace orrery::gateway {

class Gateway;
class KeyNamings;

struct KeyReport {
  std::string database;
  std::string container;
  std::string key;  // the key's values, a JSON array
  uint64_t bytes = 0;
  double request_units_per_second = 0;
  std::vector<std::string> columns{};  // of the key, or paths
  std::string position{};              // on the ring, 32 hex digits
  std::optional<int64_t> token{};      // the same for a Cassandra table
};

// A part of a container's ring that one partition has.
struct RangeReport {
  std::string database;
  std::string container;
  std::string begin;                                  // 32 hex digits, inclusive
  std::string last;                                   // inclusive
  std::optional<std::pair<int64_t, int64_t>> tokens;  // the same for Cassandra tables
  double ring_fraction = 0;
  uint64_t bytes = 0;  // of the container, in this partition
  uint64_t items = 0;
};

struct PartitionReport {
  uint64_t id = 0;
  uint64_t node = 0;  // of a cluster, that has it open; 0: nobody, or there is no cluster
  bool known = true;  // false: that node did not tell how large and busy it is
  bool open = true;   // false: no node has it open, though one may be about to
  std::vector<uint32_t> copies;  // the disks of the store that have it; empty: not known
  bool copies_whole = true;      // false: fewer than the store is to keep
  std::string owner;             // "commons", "database 'd'" or "container 'c' of 'd'"
  std::vector<RangeReport> ranges;
  uint64_t bytes = 0;
  uint64_t items = 0;
  uint64_t disk_bytes = 0;
  std::optional<double> request_units_per_second;  // provisioned; none = unmetered
  double used_last_second = 0;
  uint64_t throttled_total = 0;
  std::vector<KeyReport> largest;
  std::vector<KeyReport> hottest;
  std::vector<uint64_t> parents;  // oldest first
  uint64_t last_lsn = 0;
};

struct ThroughputReport {
  std::string kind;                      // "none", "manual", "autoscale" or "shared"
  int64_t request_units_per_second = 0;  // the maximum under autoscale
  int64_t minimum = 0;                   // what it may be lowered to
};

struct ContainerReport {
  std::string database;
  std::string name;
  std::string kind;      // "fixed" or "unlimited"
  std::string_view api;  // whose users made it: "cassandra", "mongo", "table", "sql"
  std::vector<std::string> partition_key_paths;
  ThroughputReport throughput;
  size_t partitions = 0;
  uint64_t bytes = 0;
  uint64_t items = 0;
  int index_progress = 100;
  std::vector<std::string> advice;
};

struct DatabaseReport {
  std::string name;
  ThroughputReport throughput;
  size_t containers = 0;
};

struct NodeReport {
  ClusterNode node;
  bool self = false;
  bool manager = false;
  bool answers = true;  // false: the statistics are not known
  size_t partitions = 0;
  uint64_t bytes = 0;
  double used_last_second = 0;                           // RU
  std::optional<std::chrono::milliseconds> clock_ahead;  // of the cluster's time
};

struct ClusterReport {
  std::string id;
  std::vector<NodeReport> nodes;
  StoreReport store;
};

struct StatusReport {
  std::string version;
  double uptime_s = 0;
  size_t databases = 0;
  size_t containers = 0;
  size_t partitions = 0;
  std::vector<uint64_t> unopened;  // those of them that no node has open, in order
  uint64_t bytes = 0;
  uint64_t items = 0;
  uint64_t block_cache_bytes = 0;
  uint64_t memtable_bytes = 0;
  std::optional<ClusterReport> cluster;  // none on a single machine
};

struct SplitReport {
  uint64_t partition = 0;
  std::vector<uint64_t> children;
  double pause_ms = 0;  // how long writers waited
};

class Inspection {
 public:
  // The parts that ask the other nodes.
  struct Cluster {
    const ClusterView& view;
    cluster::Peers& peers;
  };
  // All must outlive it. Without a cluster all partitions are here. `names` show keys as users
  // wrote them; null: as the core has them.
  Inspection(Gateway& gateway, const storage::EngineResources& resources, const Clock& clock,
             std::string version, std::optional<Cluster> cluster = std::nullopt,
             const KeyNamings* names = nullptr);

  std::string_view version() const { return version_; }

  // Reports ask the other nodes of a cluster, all at once and for a bounded time. Keys and advice
  // are of partitions that are open on this node.
  StatusReport Status() const;
  // Of one container, one database, or all; ranges of others that share a partition are left out.
  // kNotFound for an unknown name, kInvalidArgument for a container without a database.
  Result<std::vector<PartitionReport>> Partitions(std::optional<std::string_view> database,
                                                  std::optional<std::string_view> container) const;
  Result<std::vector<ContainerReport>> Containers(std::optional<std::string_view> database,
                                                  std::optional<std::string_view> container) const;
  Result<std::vector<DatabaseReport>> Databases() const;

  // Splits the partition, or the largest one of the container or database. Errors as Node::Split.
  Result<SplitReport> Split(std::optional<std::string_view> database,
                            std::optional<std::string_view> container,
                            std::optional<uint64_t> partition);
  // Two neighbours of one owner; returns the merged partition's id.
  Result<uint64_t> Merge(uint64_t left, uint64_t right);
  // Waits for splits, merges, trims and index builds under way.
  void WaitForIdle();

  // One sample of each metric per partition.
  void Collect(MetricsText& text) const;

 private:
  StatisticsByNode AskOthers(
      cluster::StatisticsDetail detail = cluster::StatisticsDetail::kPlain) const;
  ClusterReport DescribeCluster(const StatisticsByNode& statistics) const;
  NodeId OwnerOf(PartitionId partition) const;
  Result<cluster::SplitResult> SplitWhereItIs(PartitionId partition);

  Gateway& gateway_;
  const storage::EngineResources& resources_;
  const Clock& clock_;
  const std::string version_;
  const Micros started_;
  const std::optional<Cluster> cluster_;
  const KeyNamings* const names_;
};

}  // namespace orrery::gateway
