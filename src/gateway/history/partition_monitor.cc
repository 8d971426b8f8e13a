#include "gateway/history/partition_monitor.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/log.h"
#include "cluster/partition_statistics.h"
#include "gateway/history/topology_changes.h"
#include "gateway/view/peer_statistics.h"

namespace orrery::gateway {
namespace {

using Hosted = std::shared_ptr<cluster::HostedPartition>;

// The id under which a container's own budget is kept beside partitions, whose ids are small.
constexpr uint64_t kBudgetBit = uint64_t{1} << 63;
constexpr size_t kEventsAtOnceMax = 200;

PartitionId BudgetId(ContainerId container) { return PartitionId(kBudgetBit | container.value()); }
bool IsBudget(PartitionId id) { return (id.value() & kBudgetBit) != 0; }

int64_t ToMs(Micros time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
}

std::vector<uint64_t> Numbers(const std::vector<PartitionId>& ids) {
  std::vector<uint64_t> numbers;
  for (const PartitionId id : ids)
    if (!IsBudget(id)) numbers.push_back(id.value());
  return numbers;
}

std::string WhyOf(partition::SplitReason reason) {
  switch (reason) {
    case partition::SplitReason::kStorage:
      return "size";
    case partition::SplitReason::kThroughput:
      return "load";
    case partition::SplitReason::kCommand:
      break;
  }
  return "asked";
}

std::string ThroughputText(const partition::ThroughputSettings& settings) {
  switch (settings.kind) {
    case partition::ThroughputKind::kManual:
      return fmt::format("{} RU/s", settings.request_units_per_second);
    case partition::ThroughputKind::kAutoscale:
      return fmt::format("autoscale up to {} RU/s", settings.request_units_per_second);
    default:
      return "not metered";
  }
}

uint64_t NotBelowZero(int64_t number) {
  return static_cast<uint64_t>(std::max<int64_t>(number, 0));
}

item::Totals TotalsOf(const std::map<ContainerId, item::Totals>& totals, ContainerId container) {
  const auto found = totals.find(container);
  return found == totals.end() ? item::Totals{} : found->second;
}

Event SettingEvent(const ContainerEntry& container, std::string what, std::string text) {
  Event event;
  event.kind = "setting";
  event.database = container.database_name;
  event.container = container.settings.name;
  event.container_ids = {container.id.value()};
  event.what = std::move(what);
  event.text = std::move(text);
  return event;
}

}  // namespace

void PartitionMonitor::Tick() {
  const int64_t now_ms = ToMs(parts_.clock.Now());
  const int64_t second = now_ms / 1'000;
  if (parts_.cluster.has_value()) {
    if (const Status followed = parts_.events.Follow(); !followed.has_value())
      LogDebug("events of other nodes were not read: {}", followed.error().ToString());
  }
  Statistics told;
  if (parts_.cluster.has_value()) {
    std::vector<NodeId> others;
    for (const ClusterNode& node : *parts_.cluster->view.Nodes())
      if (node.id != parts_.cluster->view.self()) others.push_back(node.id);
    told = AskForStatistics(parts_.cluster->peers, others);
  }
  const auto topology = parts_.gateway.node().topology();
  const auto catalog = parts_.gateway.catalog().snapshot();
  std::vector<Event> events;
  for (const cluster::PartitionChange& change : parts_.changes.Take()) {
    parts_.history.NoteChange(change.before, change.after);
    Event& event = events.emplace_back();
    event.kind = change.kind == cluster::PartitionChange::Kind::kSplit ? "split" : "merge";
    event.before = Numbers(change.before);
    event.after = Numbers(change.after);
    event.why = WhyOf(change.reason);
    event.pause_ms = static_cast<double>(change.pause.count()) / 1'000;
    event.time_ms = now_ms;
    Name(change.slices, event);
  }
  std::vector<PartitionSample> samples;
  const MutexLock lock(mutex_);
  NoteMoves(*topology, events, now_ms);
  for (const Event& event : events) {
    Changes& changes = changes_[event.kind];
    ++changes.count;
    const double pause_s = event.pause_ms.value_or(0) / 1'000;
    changes.pause_s += pause_s;
    changes.longest_pause_s = std::max(changes.longest_pause_s, pause_s);
  }
  NoteSettings(*catalog, events, now_ms);
  SampleHere(*topology, samples, events, second);
  SampleBudgets(*catalog, *topology, samples, events, second);
  SampleElsewhere(*topology, told, samples);
  EndEpisodes(second, events);
  has_looked_ = true;
  parts_.history.Add(second, samples);
  for (Event& event : events)
    if (event.time_ms == 0) event.time_ms = now_ms;
  if (events.size() > kEventsAtOnceMax) events.resize(kEventsAtOnceMax);
  if (const Status added = parts_.events.Add(events); !added.has_value()) {
    LogDebug("{} events were not stored: {}", events.size(), added.error().ToString());
  }
  // Episodes are ended under the number that their beginning got.
  for (const Event& event : events) {
    if (event.kind != "throttling" || event.ended_ms.has_value()) continue;
    for (auto& [id, episode] : episodes_)
      if (episode.number == 0 && episode.event == [&] {
            Event same = event;
            same.number = 0;
            return same;
          }()) {
        episode.number = event.number;
      }
  }
  parts_.events.Expire(parts_.clock.Monotonic());
}

SeriesRow PartitionMonitor::Look(PartitionId id, const partition::GovernorUsage& usage,
                                 Micros now) {
  Seen& seen = seen_[id];
  SeriesRow row;
  seen.throttled_last = 0;
  if (seen.is_known && now > seen.at) {
    const double seconds = static_cast<double>((now - seen.at).count()) / 1e6;
    row.used = static_cast<float>((usage.used_total - seen.used_total).ToDouble() /
                                  std::max(seconds, 0.5));
    seen.throttled_last = usage.throttled_total - seen.throttled_total;
  } else if (has_looked_) {
    // New since the last look: all of it is of this second.
    row.used = static_cast<float>(usage.used_total.ToDouble());
    seen.throttled_last = usage.throttled_total;
  }
  // Work that was reserved and not done is given back.
  row.used = std::max(row.used, 0.0F);
  row.used_highest = row.used;
  row.throttled = static_cast<float>(seen.throttled_last);
  seen.used_total = usage.used_total;
  seen.throttled_total = usage.throttled_total;
  seen.at = now;
  seen.is_known = true;
  return row;
}

void PartitionMonitor::SampleHere(const cluster::Topology& topology,
                                  std::vector<PartitionSample>& samples, std::vector<Event>& events,
                                  int64_t second) {
  const Micros now = parts_.clock.Monotonic();
  const uint64_t self =
      parts_.cluster.has_value() ? parts_.cluster->view.self().value() : uint64_t{0};
  for (const auto& [id, partition] : topology.hosted) {
    PartitionSample& sample = samples.emplace_back();
    sample.id = id;
    sample.row = Look(id, partition->governor().Usage(now), now);
    sample.row.bytes = static_cast<float>(partition->ledger().Sum().bytes);
    sample.rate = partition->governor().rate().ToDouble();
    sample.node = self;
    sample.record = partition->record();
    NoteThrottling(id, seen_[id].throttled_last, second, *sample.record, events);
  }
  std::erase_if(seen_, [&](const auto& entry) {
    return !IsBudget(entry.first) && !topology.hosted.contains(entry.first);
  });
}

void PartitionMonitor::SampleBudgets(const CatalogSnapshot& catalog,
                                     const cluster::Topology& topology,
                                     std::vector<PartitionSample>& samples,
                                     std::vector<Event>& events, int64_t second) {
  const Micros now = parts_.clock.Monotonic();
  for (const ContainerRef& container : budgeted_) {
    const auto ranges = topology.map->Ranges(container->id);
    if (ranges.begin() == ranges.end()) continue;
    const Hosted partition = topology.Find((*ranges.begin()).partition);
    if (partition == nullptr) continue;
    const PartitionId id = BudgetId(container->id);
    auto record = std::make_shared<cluster::PartitionRecord>();
    record->id = partition->id();
    for (const cluster::Slice& slice : partition->record()->slices)
      if (slice.container == container->id) record->slices.push_back(slice);
    PartitionSample& sample = samples.emplace_back();
    sample.id = id;
    sample.row = Look(id, container->budget->Usage(now), now);
    sample.row.bytes = static_cast<float>(partition->ledger().BytesOf(container->id));
    sample.rate = container->budget->rate().ToDouble();
    sample.record = std::move(record);
    NoteThrottling(id, seen_[id].throttled_last, second, *sample.record, events);
  }
  std::erase_if(seen_, [&](const auto& entry) {
    return IsBudget(entry.first) &&
           catalog.by_id.Find(ContainerId(static_cast<uint32_t>(entry.first.value()))) == nullptr;
  });
}

void PartitionMonitor::SampleElsewhere(const cluster::Topology& topology, const Statistics& told,
                                       std::vector<PartitionSample>& samples) {
  for (const auto& [id, partition] : topology.remote) {
    const auto* statistics = FindStatistics(told, partition.owner, id);
    if (statistics == nullptr) continue;
    Seen& seen = seen_[id];
    seen.throttled_last = seen.is_known && statistics->throttled >= seen.throttled_total
                              ? statistics->throttled - seen.throttled_total
                              : 0;
    seen.throttled_total = statistics->throttled;
    seen.is_known = true;
    PartitionSample& sample = samples.emplace_back();
    sample.id = id;
    sample.row.used = static_cast<float>(statistics->request_units_per_second);
    sample.row.used_highest = sample.row.used;
    sample.row.throttled = static_cast<float>(seen.throttled_last);
    sample.row.bytes = static_cast<float>(statistics->bytes);
    sample.rate = statistics->granted;
    sample.node = partition.owner.value();
    sample.record = partition.record;
  }
}

void PartitionMonitor::NoteThrottling(PartitionId id, uint64_t refused, int64_t second,
                                      const cluster::PartitionRecord& record,
                                      std::vector<Event>& events) {
  if (refused == 0) return;
  const auto [place, is_new] = episodes_.try_emplace(id);
  Episode& episode = place->second;
  episode.refused += refused;
  episode.last_second = second;
  if (!is_new) return;
  episode.began_ms = second * 1'000;
  Event& event = episode.event;
  event.kind = "throttling";
  event.time_ms = episode.began_ms;
  event.before = {record.id.value()};
  event.refused = refused;
  event.hottest = HottestOf(id, record);
  Name(record.slices, event);
  events.push_back(event);
}

void PartitionMonitor::EndEpisodes(int64_t second, std::vector<Event>& events) {
  for (auto each = episodes_.begin(); each != episodes_.end();) {
    Episode& episode = each->second;
    if (second - episode.last_second < kQuietSeconds) {
      ++each;
      continue;
    }
    Event& event = events.emplace_back(std::move(episode.event));
    event.begins = episode.number;
    event.ended_ms = (episode.last_second + 1) * 1'000;
    event.refused = episode.refused;
    each = episodes_.erase(each);
  }
}

std::string PartitionMonitor::HottestOf(PartitionId id,
                                        const cluster::PartitionRecord& record) const {
  const auto topology = parts_.gateway.node().topology();
  const Hosted partition = topology->Find(record.id);
  if (partition == nullptr) return {};
  const auto catalog = parts_.gateway.catalog().snapshot();
  for (const cluster::HotKey& key : partition->Hottest(cluster::kKeysInStatistics)) {
    if (IsBudget(id) && BudgetId(key.container) != id) continue;
    const ContainerRef* container = catalog->by_id.Find(key.container);
    if (container != nullptr) return parts_.names.ValuesOf(**container, key.partition_key);
  }
  return {};
}

void PartitionMonitor::NoteMoves(const cluster::Topology& topology, std::vector<Event>& events,
                                 int64_t now_ms) {
  if (!parts_.cluster.has_value()) return;
  const NodeId self = parts_.cluster->view.self();
  std::map<PartitionId, NodeId> owners;
  for (const auto& [id, partition] : topology.remote) owners[id] = partition.owner;
  for (const auto& [id, partition] : topology.hosted) {
    owners[id] = self;
    const auto before = owners_.find(id);
    if (before == owners_.end() || before->second == self || before->second == NodeId()) continue;
    Event& event = events.emplace_back();
    event.kind = "move";
    event.time_ms = now_ms;
    event.before = event.after = {id.value()};
    event.from_node = before->second.value();
    event.to_node = self.value();
    Name(partition->record()->slices, event);
  }
  // Of one that nobody has the former owner is remembered.
  for (auto& [id, owner] : owners) {
    const auto before = owners_.find(id);
    if (owner == NodeId() && before != owners_.end()) owner = before->second;
  }
  owners_ = std::move(owners);
}

void PartitionMonitor::NoteSettings(const CatalogSnapshot& catalog, std::vector<Event>& events,
                                    int64_t now_ms) {
  const auto former = catalog_;
  if (former != nullptr && former->version == catalog.version &&
      parts_.gateway.catalog().IsNewest(*former))
    return;
  catalog_ = parts_.gateway.catalog().snapshot();
  const auto newest = catalog_;
  std::vector<ContainerRef> budgeted;
  newest->containers.ForEach([&](const auto&, const ContainerRef& entry) {
    if (entry->budget != nullptr) budgeted.push_back(entry);
  });
  budgeted_ = std::move(budgeted);
  // In a cluster the manager tells it, once for all.
  const bool tells =
      !parts_.cluster.has_value() || parts_.cluster->view.manager() == parts_.cluster->view.self();
  if (former == nullptr || !tells) return;
  std::vector<Event> changes;
  newest->containers.ForEach([&](const auto&, const ContainerRef& entry) {
    const ContainerRef* before = former->by_id.Find(entry->id);
    if (before == nullptr) {
      changes.push_back(
          SettingEvent(*entry, "created", ThroughputText(entry->settings.throughput)));
    } else if (*before != entry) {
      const ContainerEntry& old = **before;
      if (old.settings.throughput != entry->settings.throughput) {
        changes.push_back(
            SettingEvent(*entry, "throughput",
                         fmt::format("{} to {}", ThroughputText(old.settings.throughput),
                                     ThroughputText(entry->settings.throughput))));
      }
      if (old.settings.name != entry->settings.name || old.database != entry->database) {
        changes.push_back(SettingEvent(
            *entry, "renamed", fmt::format("from {}/{}", old.database_name, old.settings.name)));
      }
      ContainerSettings same = entry->settings;
      same.throughput = old.settings.throughput;
      same.name = old.settings.name;
      if (!(same == old.settings)) changes.push_back(SettingEvent(*entry, "settings", ""));
    }
  });
  former->containers.ForEach([&](const auto&, const ContainerRef& entry) {
    if (newest->by_id.Find(entry->id) == nullptr)
      changes.push_back(SettingEvent(*entry, "deleted", ""));
  });
  for (const DatabaseRef& database : newest->ListDatabases()) {
    const DatabaseRef before = former->Database(database->name);
    if (before == nullptr || before->throughput == database->throughput) continue;
    Event& event = changes.emplace_back();
    event.kind = "setting";
    event.database = database->name;
    event.what = "throughput";
    event.text = fmt::format("{} to {}", ThroughputText(before->throughput),
                             ThroughputText(database->throughput));
  }
  for (Event& event : changes) {
    event.time_ms = now_ms;
    events.push_back(std::move(event));
  }
}

void PartitionMonitor::Name(const std::vector<cluster::Slice>& slices, Event& event) const {
  const auto catalog = parts_.gateway.catalog().snapshot();
  std::set<std::string> databases;
  std::string container;
  size_t known = 0;
  for (const cluster::Slice& slice : slices) {
    if (event.container_ids.size() < kEventContainersMax)
      event.container_ids.push_back(slice.container.value());
    const ContainerRef* entry = catalog->by_id.Find(slice.container);
    if (entry == nullptr) continue;
    ++known;
    databases.insert((*entry)->database_name);
    container = (*entry)->settings.name;
  }
  if (databases.size() == 1) event.database = *databases.begin();
  if (known == 1) event.container = container;
}

Result<LoadReport> PartitionMonitor::Load(std::optional<std::string_view> database,
                                          std::optional<std::string_view> container) const {
  const Catalog& catalog = parts_.gateway.catalog();
  const auto snapshot = catalog.snapshot();
  std::vector<ContainerRef> chosen;
  if (container.has_value() && !database.has_value()) {
    return Fail(Code::kInvalidArgument,
                fmt::format("name the database of container '{}', too", *container));
  }
  if (container.has_value()) {
    ORRERY_ASSIGN(ContainerRef entry, catalog.FindContainer(*database, *container));
    chosen.push_back(std::move(entry));
  } else if (database.has_value()) {
    ORRERY_ASSIGN(const DatabaseEntry entry, catalog.FindDatabase(*database));
    chosen = snapshot->ListContainers(entry.id);
  } else {
    for (const DatabaseRef& each : snapshot->ListDatabases())
      for (ContainerRef& entry : snapshot->ListContainers(each->id))
        chosen.push_back(std::move(entry));
  }
  const auto topology = parts_.gateway.node().topology();
  const Micros now = parts_.clock.Monotonic();
  std::map<PartitionId, std::map<ContainerId, item::Totals>> totals;
  Statistics told;
  if (parts_.cluster.has_value() && !topology->remote.empty()) {
    std::set<NodeId> owners;
    for (const auto& [id, partition] : topology->remote)
      if (partition.owner != NodeId()) owners.insert(partition.owner);
    told = AskForStatistics(parts_.cluster->peers, std::vector(owners.begin(), owners.end()));
  }
  const uint64_t self =
      parts_.cluster.has_value() ? parts_.cluster->view.self().value() : uint64_t{0};
  LoadReport report;
  const MutexLock lock(mutex_);
  const auto throttled_of = [&](PartitionId id) REQUIRES(mutex_) {
    const auto found = seen_.find(id);
    return found == seen_.end() ? uint64_t{0} : found->second.throttled_last;
  };
  for (const ContainerRef& entry : chosen) {
    LoadReport::Container& shown = report.containers.emplace_back();
    shown.database = entry->database_name;
    shown.name = entry->settings.name;
    shown.api = ApiOf(*entry);
    for (const partition::RangeEntry& range : topology->map->Ranges(entry->id)) {
      SliceLoad& slice = report.slices.emplace_back();
      slice.container = report.containers.size() - 1;
      slice.partition = range.partition.value();
      slice.begin = range.range.begin().ToString();
      slice.last = range.range.last().ToString();
      const partition::Governor* governor = entry->budget.get();
      PartitionId id = BudgetId(entry->id);
      if (const Hosted partition = topology->Find(range.partition); partition != nullptr) {
        auto [mine, is_new] = totals.try_emplace(range.partition);
        if (is_new) mine->second = partition->ledger().ByContainer();
        const item::Totals held = TotalsOf(mine->second, entry->id);
        slice.bytes = NotBelowZero(held.bytes);
        slice.items = NotBelowZero(held.items);
        slice.node = self;
        if (governor == nullptr) {
          governor = &partition->governor();
          id = range.partition;
        }
        const partition::GovernorUsage usage = governor->Usage(now);
        if (governor->rate() > RequestUnits()) slice.rate = governor->rate().ToDouble();
        slice.used = usage.used_last_second.ToDouble();
        slice.throttled_total = usage.throttled_total;
        slice.throttled = throttled_of(id);
      } else if (const auto remote = topology->remote.find(range.partition);
                 remote != topology->remote.end()) {
        slice.node = remote->second.owner.value();
        const auto* statistics = FindStatistics(told, remote->second.owner, range.partition);
        slice.open = statistics != nullptr;
        if (statistics != nullptr) {
          for (const auto& share : statistics->shares) {
            if (share.container != entry->id) continue;
            slice.bytes = share.bytes;
            slice.items = share.items;
          }
          if (statistics->granted > 0) slice.rate = statistics->granted;
          slice.used = statistics->request_units_per_second;
          slice.throttled_total = statistics->throttled;
          slice.throttled = throttled_of(range.partition);
        }
      } else {
        slice.open = false;
      }
      shown.is_metered = shown.is_metered || slice.rate.has_value();
    }
  }
  return report;
}

std::vector<PartitionPast> PartitionMonitor::PastOf(const ContainerEntry& container, size_t tier,
                                                    int64_t from_s, int64_t to_s) const {
  std::vector<PartitionPast> pasts = parts_.history.Of(container.id, tier, from_s, to_s);
  if (container.budget == nullptr) {
    std::erase_if(pasts, [](const PartitionPast& past) { return IsBudget(past.id); });
    return pasts;
  }
  // By its budget; which partition has it is what the topology says now.
  std::erase_if(pasts, [](const PartitionPast& past) { return !IsBudget(past.id); });
  const auto topology = parts_.gateway.node().topology();
  const auto ranges = topology->map->Ranges(container.id);
  for (PartitionPast& past : pasts)
    if (ranges.begin() != ranges.end()) past.id = (*ranges.begin()).partition;
  return pasts;
}

void PartitionMonitor::Collect(MetricsText& text) const {
  for (const std::string kind : {"split", "merge", "move"}) {
    Changes changes;
    {
      const MutexLock lock(mutex_);
      if (const auto found = changes_.find(kind); found != changes_.end()) changes = found->second;
    }
    const MetricLabels labels{{"kind", kind}};
    text.AddCounter("orrery_partition_changes_total",
                    "Splits, merges and moves of partitions that this node made.", labels,
                    static_cast<double>(changes.count));
    text.AddCounter("orrery_partition_change_pause_seconds_total",
                    "How long writers waited for them, all together.", labels, changes.pause_s);
    text.AddGauge("orrery_partition_change_pause_seconds_highest",
                  "How long writers waited for one of them at most.", labels,
                  changes.longest_pause_s);
  }
  text.AddGauge("orrery_history_bytes", "Memory that the past of partitions takes.", {},
                static_cast<double>(parts_.history.bytes()));
  const auto load = Load(std::nullopt, std::nullopt);
  if (!load.has_value()) return;
  struct Sum {
    double bytes = 0;
    double items = 0;
    double used = 0;
    double throttled = 0;
  };
  std::vector<Sum> sums(load->containers.size());
  for (const SliceLoad& slice : load->slices) {
    Sum& sum = sums[slice.container];
    sum.bytes += static_cast<double>(slice.bytes);
    sum.items += static_cast<double>(slice.items);
    // What an unmetered partition carries is of all containers that it has.
    if (!slice.rate.has_value()) continue;
    sum.used += slice.used;
    sum.throttled += static_cast<double>(slice.throttled_total);
  }
  for (size_t i = 0; i < sums.size(); ++i) {
    const LoadReport::Container& container = load->containers[i];
    const MetricLabels labels{{"database", container.database}, {"container", container.name}};
    text.AddGauge("orrery_container_bytes", "Bytes of a container's items.", labels, sums[i].bytes);
    text.AddGauge("orrery_container_items", "Items of a container.", labels, sums[i].items);
    if (!container.is_metered) continue;
    text.AddGauge("orrery_container_request_units_used",
                  "Request units that a container used in the last full second.", labels,
                  sums[i].used);
    text.AddCounter("orrery_container_throttled_total",
                    "Requests to a container that its partitions refused.", labels,
                    sums[i].throttled);
  }
  const auto topology = parts_.gateway.node().topology();
  for (const auto& [id, partition] : topology->hosted) {
    text.AddGauge("orrery_partition_request_units_highest",
                  "The highest second of the last ten minutes.",
                  {{"partition", std::to_string(id.value())}}, parts_.history.HighestOf(id));
  }
}

}  // namespace orrery::gateway
