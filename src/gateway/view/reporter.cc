#include "gateway/view/reporter.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "base/bytes.h"
#include "gateway/view/partition_advice.h"
#include "partition/key/cassandra_key.h"

namespace orrery::gateway {
namespace {

constexpr size_t kKeysInReport = cluster::kKeysInStatistics;

uint64_t NotNegative(int64_t number) { return static_cast<uint64_t>(std::max<int64_t>(number, 0)); }

RangeReport DescribeRange(const ContainerEntry* container, const partition::HashRange& range,
                          item::Totals totals) {
  RangeReport report;
  report.begin = range.begin().ToString();
  report.last = range.last().ToString();
  report.ring_fraction = range.RingFraction();
  report.bytes = NotNegative(totals.bytes);
  report.items = NotNegative(totals.items);
  if (container == nullptr) return report;
  report.database = container->database_name;
  report.container = container->settings.name;
  if (container->settings.hashing == partition::KeyHashing::kCassandra) {
    report.tokens = {partition::CassandraToken(range.begin()),
                     partition::CassandraToken(range.last())};
  }
  return report;
}

}  // namespace

const ContainerEntry* Reporter::Find(ContainerId id) const {
  const ContainerRef* found = catalog_.by_id.Find(id);
  return found == nullptr ? nullptr : found->get();
}

std::string Reporter::OwnerText(cluster::ThroughputOwner throughput_owner) const {
  switch (throughput_owner.kind) {
    case cluster::ThroughputOwner::Kind::kContainer:
      if (const ContainerEntry* entry = Find(ContainerId(throughput_owner.id)); entry != nullptr) {
        return fmt::format("container '{}' of '{}'", entry->settings.name, entry->database_name);
      }
      return fmt::format("container {}", throughput_owner.id);
    case cluster::ThroughputOwner::Kind::kDatabase:
      for (const DatabaseRef& database : catalog_.ListDatabases()) {
        if (database->id.value() == throughput_owner.id)
          return fmt::format("database '{}'", database->name);
      }
      return fmt::format("database {}", throughput_owner.id);
    case cluster::ThroughputOwner::Kind::kSharedPool:
      break;
  }
  return "commons";
}

KeyReport Reporter::DescribeKey(ContainerId container, std::string_view encoded) const {
  KeyReport report;
  const ContainerEntry* const entry = Find(container);
  if (entry == nullptr) {
    report.key = fmt::format("\"0x{}\"", ToHex(encoded));
    return report;
  }
  report.database = entry->database_name;
  report.container = entry->settings.name;
  report.key = names_.ValuesOf(*entry, encoded);
  report.columns = names_.ColumnsOf(*entry);
  if (const auto position = RingPositionOf(*entry, encoded); position.has_value()) {
    report.position = position->ToString();
    if (entry->settings.hashing == partition::KeyHashing::kCassandra)
      report.token = partition::CassandraToken(*position);
  }
  return report;
}

std::vector<KeyReport> Reporter::Largest(const cluster::HostedPartition& partition) const {
  std::vector<KeyReport> reports;
  for (const item::LargeKey& key : partition.ledger().Largest(kKeysInReport)) {
    reports.push_back(DescribeKey(key.container, key.partition_key));
    reports.back().bytes = key.bytes;
  }
  return reports;
}

std::vector<KeyReport> Reporter::Hottest(const cluster::HostedPartition& partition) const {
  std::vector<KeyReport> reports;
  for (const cluster::HotKey& key : partition.Hottest(kKeysInReport)) {
    reports.push_back(DescribeKey(key.container, key.partition_key));
    reports.back().request_units_per_second = key.request_units_per_second;
  }
  return reports;
}

PartitionReport Reporter::Describe(const cluster::HostedPartition& partition) const {
  const auto record = partition.record();
  const auto totals = partition.ledger().ByContainer();
  PartitionReport report;
  report.id = partition.id().value();
  report.owner = OwnerText(record->throughput_owner);
  for (const auto& slice : record->slices) {
    const auto found = totals.find(slice.container);
    const item::Totals mine = found == totals.end() ? item::Totals{} : found->second;
    report.ranges.push_back(DescribeRange(Find(slice.container), slice.range, mine));
    report.bytes += NotNegative(mine.bytes);
    report.items += NotNegative(mine.items);
  }
  report.disk_bytes = partition.engine().Stats().disk_bytes;
  const partition::Governor& governor = partition.governor();
  if (governor.rate() > RequestUnits())
    report.request_units_per_second = governor.rate().ToDouble();
  const partition::GovernorUsage usage = governor.Usage(now_);
  report.used_last_second = usage.used_last_second.ToDouble();
  report.throttled_total = usage.throttled_total;
  report.largest = Largest(partition);
  report.hottest = Hottest(partition);
  for (const PartitionId parent : record->parents) report.parents.push_back(parent.value());
  report.last_lsn = partition.sequencer().last_committed().value();
  return report;
}

PartitionReport Reporter::Describe(const cluster::RemotePartition& partition,
                                   const cluster::PartitionStatistics* statistics) const {
  PartitionReport report;
  report.id = partition.record->id.value();
  report.node = partition.owner.value();
  report.known = statistics != nullptr;
  report.owner = OwnerText(partition.record->throughput_owner);
  std::map<ContainerId, item::Totals> shares;
  if (statistics != nullptr) {
    for (const auto& share : statistics->shares) {
      shares[share.container] = {.bytes = static_cast<int64_t>(share.bytes),
                                 .items = static_cast<int64_t>(share.items)};
    }
    report.bytes = statistics->bytes;
    report.items = statistics->items;
    if (statistics->granted > 0) report.request_units_per_second = statistics->granted;
    report.used_last_second = statistics->request_units_per_second;
    report.throttled_total = statistics->throttled;
    for (const auto& key : statistics->largest) {
      report.largest.push_back(DescribeKey(key.container, key.partition_key));
      report.largest.back().bytes = key.bytes;
    }
    for (const auto& key : statistics->hottest) {
      report.hottest.push_back(DescribeKey(key.container, key.partition_key));
      report.hottest.back().request_units_per_second = key.request_units_per_second;
    }
  }
  for (const auto& slice : partition.record->slices) {
    report.ranges.push_back(
        DescribeRange(Find(slice.container), slice.range, shares[slice.container]));
  }
  for (const PartitionId parent : partition.record->parents)
    report.parents.push_back(parent.value());
  return report;
}

std::vector<std::shared_ptr<cluster::HostedPartition>> Reporter::PartitionsOf(
    ContainerId container) const {
  std::vector<std::shared_ptr<cluster::HostedPartition>> partitions;
  std::set<PartitionId> seen;
  for (const partition::RangeEntry& range : topology_.map->Ranges(container)) {
    if (!seen.insert(range.partition).second) continue;
    if (auto partition = topology_.Find(range.partition); partition != nullptr) {
      partitions.push_back(std::move(partition));
    }
  }
  return partitions;
}

ContainerReport Reporter::Describe(const ContainerEntry& container,
                                   const StatisticsByNode& others) const {
  ContainerReport report;
  report.database = container.database_name;
  report.name = container.settings.name;
  report.kind = container.kind == partition::ContainerKind::kFixed ? "fixed" : "unlimited";
  report.partition_key_paths = names_.ColumnsOf(container);
  report.api = ApiOf(container);

  ContainerFacts facts;
  facts.key_paths = report.partition_key_paths;
  facts.logical_partition_bytes_max = container.schema->logical_partition_bytes_max;
  std::set<PartitionId> all;
  for (const partition::RangeEntry& range : topology_.map->Ranges(container.id))
    all.insert(range.partition);
  report.partitions = all.size();
  const auto add_partition = [&](const PartitionReport& part) {
    const double rate = part.request_units_per_second.value_or(0);
    facts.partitions.push_back({part.used_last_second, rate, part.throttled_total});
    for (const RangeReport& range : part.ranges) {
      if (range.container != report.name || range.database != report.database) continue;
      report.bytes += range.bytes;
      report.items += range.items;
      break;  // what is told of a container is of all its ranges there
    }
    const auto add = [&](const std::vector<KeyReport>& keys, std::vector<KeyFacts>& to) {
      for (const KeyReport& key : keys) {
        if (key.container != report.name || key.database != report.database) continue;
        to.push_back({key.key, key.bytes, key.request_units_per_second, rate});
      }
    };
    add(part.largest, facts.largest);
    add(part.hottest, facts.hottest);
  };
  for (const PartitionId id : all) {
    if (const auto here = topology_.Find(id); here != nullptr) {
      add_partition(Describe(*here));
    } else if (const auto there = topology_.remote.find(id); there != topology_.remote.end()) {
      const auto* const told = FindStatistics(others, there->second.owner, id);
      if (told != nullptr) add_partition(Describe(there->second, told));
    }
  }
  facts.bytes = report.bytes;
  std::ranges::sort(facts.largest, std::greater(), &KeyFacts::bytes);
  std::ranges::sort(facts.hottest, std::greater(), &KeyFacts::request_units_per_second);
  report.advice = AdviceFor(facts);
  return report;
}

}  // namespace orrery::gateway
