#include "gateway/view/inspection.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

#include "cluster/node_service.h"
#include "cluster/partition_statistics.h"
#include "gateway/gateway.h"
#include "gateway/view/reporter.h"
#include "storage/resources.h"

namespace orrery::gateway {
namespace {

using Hosted = std::shared_ptr<cluster::HostedPartition>;

// A split or merge that another node makes.
constexpr std::chrono::seconds kChangePatience{60};

const KeyNamings& PlainNames() {
  static const KeyNamings names;
  return names;
}

// A node that did not answer is believed to have its partitions open.
bool IsOpen(const cluster::RemotePartition& partition, const StatisticsByNode& statistics) {
  if (partition.owner == NodeId()) return false;
  return !statistics.contains(partition.owner) ||
         FindStatistics(statistics, partition.owner, partition.record->id) != nullptr;
}

std::vector<Hosted> AllPartitions(const cluster::Topology& topology) {
  std::vector<Hosted> partitions;
  for (const auto& [id, partition] : topology.hosted) partitions.push_back(partition);
  std::ranges::sort(partitions, {}, &cluster::HostedPartition::id);
  return partitions;
}

// Containers that the names mean: one, those of a database, or all.
Result<std::vector<ContainerRef>> Chosen(const Catalog& catalog,
                                         std::optional<std::string_view> database,
                                         std::optional<std::string_view> container) {
  if (container.has_value() && !database.has_value()) {
    return Fail(Code::kInvalidArgument,
                fmt::format("name the database of container '{}', too", *container));
  }
  if (container.has_value()) {
    ORRERY_ASSIGN(ContainerRef entry, catalog.FindContainer(*database, *container));
    return std::vector<ContainerRef>{std::move(entry)};
  }
  const auto snapshot = catalog.snapshot();
  std::vector<ContainerRef> entries;
  if (database.has_value()) {
    ORRERY_ASSIGN(const DatabaseEntry entry, catalog.FindDatabase(*database));
    return snapshot->ListContainers(entry.id);
  }
  snapshot->containers.ForEach(
      [&](const auto&, const ContainerRef& entry) { entries.push_back(entry); });
  return entries;
}

Result<std::vector<Hosted>> ChosenPartitions(const Catalog& catalog,
                                             const cluster::Topology& topology,
                                             const Reporter& reporter,
                                             std::optional<std::string_view> database,
                                             std::optional<std::string_view> container) {
  if (!database.has_value() && !container.has_value()) return AllPartitions(topology);
  ORRERY_ASSIGN(const std::vector<ContainerRef> containers, Chosen(catalog, database, container));
  std::vector<Hosted> partitions;
  std::set<PartitionId> seen;
  const auto add = [&](const std::vector<Hosted>& more) {
    for (const Hosted& partition : more) {
      if (seen.insert(partition->id()).second) partitions.push_back(partition);
    }
  };
  if (!container.has_value()) {
    ORRERY_ASSIGN(const DatabaseEntry entry, catalog.FindDatabase(*database));
    add(topology.Of(cluster::ThroughputOwner::Of(entry.id)));
  }
  for (const ContainerRef& entry : containers) add(reporter.PartitionsOf(entry->id));
  return partitions;
}

ThroughputReport DescribeThroughput(const partition::ThroughputSettings& settings,
                                    int64_t minimum) {
  ThroughputReport report;
  report.kind = settings.kind == partition::ThroughputKind::kManual      ? "manual"
                : settings.kind == partition::ThroughputKind::kAutoscale ? "autoscale"
                                                                         : "none";
  report.request_units_per_second = settings.request_units_per_second;
  report.minimum = minimum;
  return report;
}

std::unexpected<Error> Ownerless(PartitionId partition) {
  return Fail(Code::kUnavailable,
              fmt::format("partition {} is being handed over; retry", partition.value()));
}

}  // namespace

Inspection::Inspection(Gateway& gateway, const storage::EngineResources& resources,
                       const Clock& clock, std::string version, std::optional<Cluster> cluster,
                       const KeyNamings* names)
    : gateway_(gateway),
      resources_(resources),
      clock_(clock),
      version_(std::move(version)),
      started_(clock.Monotonic()),
      cluster_(cluster),
      names_(names == nullptr ? &PlainNames() : names) {}

StatisticsByNode Inspection::AskOthers(cluster::StatisticsDetail detail) const {
  if (!cluster_.has_value()) return {};
  std::vector<NodeId> others;
  for (const ClusterNode& node : *cluster_->view.Nodes())
    if (node.id != cluster_->view.self()) others.push_back(node.id);
  return AskForStatistics(cluster_->peers, others, detail);
}

ClusterReport Inspection::DescribeCluster(const StatisticsByNode& statistics) const {
  const ClusterView& view = cluster_->view;
  const auto here = cluster::StatisticsOf(*gateway_.node().topology(), clock_.Monotonic());
  ClusterReport report;
  report.id = view.cluster_id();
  report.store = *view.Store();
  for (const ClusterNode& node : *view.Nodes()) {
    NodeReport& each = report.nodes.emplace_back();
    each.node = node;
    each.self = node.id == view.self();
    each.manager = node.id == view.manager();
    each.clock_ahead = view.ClockAhead(node.id);
    const auto told = statistics.find(node.id);
    each.answers = each.self || told != statistics.end();
    if (!each.answers) continue;
    for (const cluster::PartitionStatistics& partition : each.self ? here : told->second) {
      ++each.partitions;
      each.bytes += partition.bytes;
      each.used_last_second += partition.request_units_per_second;
    }
  }
  return report;
}

StatusReport Inspection::Status() const {
  const auto catalog = gateway_.catalog().snapshot();
  const auto topology = gateway_.node().topology();
  StatusReport report;
  report.version = version_;
  report.uptime_s = static_cast<double>((clock_.Monotonic() - started_).count()) / 1e6;
  report.databases = catalog->databases.size();
  report.containers = catalog->containers.size();
  report.partitions = topology->hosted.size() + topology->remote.size();
  for (const auto& [id, partition] : topology->hosted) {
    const item::Totals totals = partition->ledger().Sum();
    report.bytes += static_cast<uint64_t>(std::max<int64_t>(totals.bytes, 0));
    report.items += static_cast<uint64_t>(std::max<int64_t>(totals.items, 0));
  }
  const StatisticsByNode statistics = AskOthers();
  for (const auto& [node, partitions] : statistics) {
    for (const cluster::PartitionStatistics& each : partitions) {
      report.bytes += each.bytes;
      report.items += each.items;
    }
  }
  for (const auto& [id, partition] : topology->remote)
    if (!IsOpen(partition, statistics)) report.unopened.push_back(id.value());
  std::ranges::sort(report.unopened);
  if (cluster_.has_value()) report.cluster = DescribeCluster(statistics);
  report.block_cache_bytes = resources_.block_cache_used();
  report.memtable_bytes = resources_.memtable_used();
  return report;
}

Result<std::vector<PartitionReport>> Inspection::Partitions(
    std::optional<std::string_view> database, std::optional<std::string_view> container) const {
  const auto catalog = gateway_.catalog().snapshot();
  const auto topology = gateway_.node().topology();
  const Reporter reporter(*catalog, *topology, clock_, *names_);
  ORRERY_ASSIGN(const std::vector<Hosted> partitions,
                ChosenPartitions(gateway_.catalog(), *topology, reporter, database, container));
  std::vector<PartitionReport> reports;
  for (const Hosted& partition : partitions) reports.push_back(reporter.Describe(*partition));
  const size_t here = reports.size();
  const StatisticsByNode statistics = AskOthers(cluster::StatisticsDetail::kWithKeys);
  for (const auto& [id, partition] : topology->remote) {
    reports.push_back(
        reporter.Describe(partition, FindStatistics(statistics, partition.owner, id)));
    reports.back().open = IsOpen(partition, statistics);
  }
  if (cluster_.has_value()) {
    const uint32_t wanted = cluster_->view.Store()->copies;
    for (PartitionReport& report : reports) {
      if (topology->hosted.contains(PartitionId(report.id)))
        report.node = cluster_->view.self().value();
      report.copies = cluster_->view.CopiesOf(PartitionId(report.id));
      report.copies_whole = report.copies.empty() || report.copies.size() >= wanted;
    }
  }
  for (PartitionReport& report : reports) {
    std::erase_if(report.ranges, [&](const RangeReport& range) {
      return (database.has_value() && range.database != *database) ||
             (container.has_value() && range.container != *container);
    });
  }
  // Of those elsewhere none was chosen yet.
  const auto elsewhere =
      std::ranges::subrange(reports.begin() + static_cast<ptrdiff_t>(here), reports.end());
  std::ranges::sort(elsewhere, {}, &PartitionReport::id);
  const auto others = std::ranges::remove_if(elsewhere, [&](const PartitionReport& report) {
    return database.has_value() && report.ranges.empty();
  });
  reports.erase(others.begin(), others.end());
  return reports;
}

Result<std::vector<ContainerReport>> Inspection::Containers(
    std::optional<std::string_view> database, std::optional<std::string_view> container) const {
  const Catalog& catalog = gateway_.catalog();
  ORRERY_ASSIGN(const std::vector<ContainerRef> chosen, Chosen(catalog, database, container));
  const auto snapshot = catalog.snapshot();
  const auto topology = gateway_.node().topology();
  const Reporter reporter(*snapshot, *topology, clock_, *names_);
  const StatisticsByNode others = AskOthers(cluster::StatisticsDetail::kWithKeys);
  std::vector<ContainerReport> reports;
  for (const ContainerRef& entry : chosen) {
    ContainerReport report = reporter.Describe(*entry, others);
    // Gone since it was chosen: shown as it was, without a minimum.
    const int64_t minimum =
        catalog.MinimumThroughput(entry->database_name, entry->settings.name).value_or(0);
    report.throughput = DescribeThroughput(entry->settings.throughput, minimum);
    if (entry->throughput_owner.kind == cluster::ThroughputOwner::Kind::kDatabase)
      report.throughput.kind = "shared";
    report.index_progress = catalog.IndexProgress(entry->id).value_or(100);
    reports.push_back(std::move(report));
  }
  return reports;
}

Result<std::vector<DatabaseReport>> Inspection::Databases() const {
  const Catalog& catalog = gateway_.catalog();
  const auto snapshot = catalog.snapshot();
  std::vector<DatabaseReport> reports;
  for (const DatabaseRef& entry : snapshot->ListDatabases()) {
    const int64_t minimum = catalog.MinimumThroughput(entry->name, std::nullopt).value_or(0);
    reports.push_back({entry->name, DescribeThroughput(entry->throughput, minimum),
                       snapshot->ListContainers(entry->id).size()});
  }
  return reports;
}

Result<SplitReport> Inspection::Split(std::optional<std::string_view> database,
                                      std::optional<std::string_view> container,
                                      std::optional<uint64_t> partition) {
  if (!database.has_value() && !partition.has_value()) {
    return Fail(Code::kInvalidArgument,
                "name a partition, or the database and container whose largest is to be split");
  }
  ORRERY_ASSIGN(std::vector<PartitionReport> candidates, Partitions(database, container));
  if (partition.has_value()) {
    std::erase_if(candidates, [&](const PartitionReport& each) { return each.id != *partition; });
  }
  if (candidates.empty()) {
    return Fail(Code::kNotFound,
                partition.has_value()
                    ? fmt::format("there is no partition {} here; 'orrery partitions' lists them",
                                  *partition)
                    : std::string("there is no partition to split"));
  }
  SplitReport report;
  report.partition = std::ranges::max_element(candidates, {}, &PartitionReport::bytes)->id;
  ORRERY_ASSIGN(const cluster::SplitResult result, SplitWhereItIs(PartitionId(report.partition)));
  for (const PartitionId child : result.children) report.children.push_back(child.value());
  report.pause_ms = static_cast<double>(result.pause.count()) / 1000;
  return report;
}

NodeId Inspection::OwnerOf(PartitionId partition) const {
  const auto topology = gateway_.node().topology();
  const auto remote = topology->remote.find(partition);
  if (remote != topology->remote.end()) return remote->second.owner;
  return cluster_.has_value() ? cluster_->view.self() : NodeId();
}

Result<cluster::SplitResult> Inspection::SplitWhereItIs(PartitionId partition) {
  const NodeId owner = OwnerOf(partition);
  if (!cluster_.has_value() || owner == cluster_->view.self())
    return gateway_.node().Split(partition, std::nullopt);
  if (owner == NodeId()) return Ownerless(partition);
  ORRERY_ASSIGN(
      const std::string answer,
      cluster_->peers.CallAndWait(owner, cluster::PeerMethod::kSplitPartition,
                                  cluster::EncodeSplit(partition, std::nullopt), kChangePatience));
  return cluster::DecodeSplitResult(answer);
}

Result<uint64_t> Inspection::Merge(uint64_t left, uint64_t right) {
  const NodeId owner = OwnerOf(PartitionId(left));
  const NodeId other = OwnerOf(PartitionId(right));
  if (owner != other) {
    return Fail(Code::kPreconditionFailed,
                fmt::format("partition {} is open on node {} and partition {} on node {}: only "
                            "partitions of one node can be merged",
                            left, owner.value(), right, other.value()));
  }
  if (!cluster_.has_value() || owner == cluster_->view.self()) {
    ORRERY_ASSIGN(const PartitionId merged,
                  gateway_.node().Merge(PartitionId(left), PartitionId(right)));
    return merged.value();
  }
  if (owner == NodeId()) return Ownerless(PartitionId(left));
  ORRERY_ASSIGN(const std::string answer,
                cluster_->peers.CallAndWait(
                    owner, cluster::PeerMethod::kMergePartitions,
                    cluster::EncodeMerge(PartitionId(left), PartitionId(right)), kChangePatience));
  ORRERY_ASSIGN(const PartitionId merged, cluster::DecodeMergeResult(answer));
  return merged.value();
}

void Inspection::WaitForIdle() {
  gateway_.catalog().WaitForIndexes();
  gateway_.node().WaitForBackground();
}

void Inspection::Collect(MetricsText& text) const {
  const auto catalog = gateway_.catalog().snapshot();
  const auto topology = gateway_.node().topology();
  const Reporter reporter(*catalog, *topology, clock_, *names_);
  for (const Hosted& partition : AllPartitions(*topology)) {
    const PartitionReport report = reporter.Describe(*partition);
    const MetricLabels labels{{"partition", std::to_string(report.id)}, {"owner", report.owner}};
    text.AddGauge("orrery_partition_bytes", "Bytes of items in a physical partition.", labels,
                  static_cast<double>(report.bytes));
    text.AddGauge("orrery_partition_items", "Items in a physical partition.", labels,
                  static_cast<double>(report.items));
    text.AddGauge("orrery_partition_disk_bytes", "Bytes of a physical partition's files.", labels,
                  static_cast<double>(report.disk_bytes));
    text.AddGauge("orrery_partition_last_lsn", "Last durable position of a physical partition.",
                  labels, static_cast<double>(report.last_lsn));
    const partition::GovernorUsage usage = partition->governor().Usage(clock_.Monotonic());
    text.AddCounter("orrery_partition_request_units_total",
                    "Request units that a physical partition has used.", labels,
                    usage.used_total.ToDouble());
    const storage::EngineStats engine = partition->engine().Stats();
    text.AddGauge("orrery_partition_memtable_bytes",
                  "Writes of a physical partition that are not in table files yet.", labels,
                  static_cast<double>(engine.memtable_bytes));
    text.AddGauge("orrery_partition_table_files", "Table files of a physical partition.", labels,
                  static_cast<double>(engine.table_files));
    text.AddGauge("orrery_partition_write_stopped",
                  "1 while the engine refuses writes until flushes and compactions catch up.",
                  labels, engine.write_stopped ? 1 : 0);
    const partition::SequencerStats writes = partition->sequencer().Stats();
    text.AddCounter("orrery_partition_writes_total", "Writes that were decided on.", labels,
                    static_cast<double>(writes.mutations));
    text.AddCounter("orrery_partition_write_groups_total",
                    "Groups that they were made durable in, by one append to the log each.", labels,
                    static_cast<double>(writes.groups));
    text.AddGauge("orrery_partition_request_units_used",
                  "Request units used in the last full second.", labels, report.used_last_second);
    if (!report.request_units_per_second.has_value()) continue;
    text.AddGauge("orrery_partition_request_units_per_second",
                  "Provisioned throughput of a physical partition.", labels,
                  *report.request_units_per_second);
    text.AddCounter("orrery_partition_throttled_total",
                    "Requests that a physical partition refused.", labels,
                    static_cast<double>(report.throttled_total));
  }
}

}  // namespace orrery::gateway
