#include "cluster/hosted_partition.h"

#include "base/bytes.h"
#include "base/log.h"
#include "base/scramble.h"
#include "item/index/value_filters.h"

namespace orrery::cluster {
namespace {

// The number of keys that the heat sketch tells apart, and how fast old heat fades.
constexpr size_t kHeatKeys = 64;
constexpr Micros kHeatHalfLife{std::chrono::seconds(10)};
// A steady rate r gives a faded sum of r * half-life / ln 2.
constexpr double kHeatSeconds = 10 / 0.693147;

// Uses of a partition that is hardly used are all noted.
constexpr uint64_t kUsesAllNoted = 1'000;
constexpr uint64_t kNotedOneOf = 8;

std::string HeatKey(ContainerId container, std::string_view partition_key) {
  std::string key;
  AppendBigEndian(key, container.value());
  key.append(partition_key);
  return key;
}

}  // namespace

HostedPartition::HostedPartition(const HostParts& parts, PartitionRecord record, std::string path)
    : parts_(parts),
      id_(record.id),
      path_(std::move(path)),
      record_(std::make_shared<const PartitionRecord>(std::move(record))),
      rule_(parts.clock, parts.expiry_grace),
      value_filters_(std::make_unique<item::ValueFilters>()),
      governor_({}, {.burst = parts.burst}, parts.clock.Monotonic()),
      heat_({.capacity = kHeatKeys, .half_life = kHeatHalfLife}) {}

Result<std::unique_ptr<HostedPartition>> HostedPartition::Open(const HostParts& parts,
                                                               PartitionRecord record,
                                                               const std::string& path,
                                                               bool must_exist) {
  std::unique_ptr<HostedPartition> partition(new HostedPartition(parts, std::move(record), path));
  ORRERY_ASSIGN(
      partition->engine_,
      storage::Engine::Open(parts.resources, {.path = path,
                                              .create_if_missing = !must_exist,
                                              .error_if_exists = !must_exist,
                                              .write_buffer_bytes = parts.write_buffer_bytes,
                                              .keep_rule = &partition->rule_,
                                              .merge_rule = &partition->merge_rule_}));
  ORRERY_ASSIGN(partition->ledger_, item::Ledger::Open(*partition->engine_));
  partition::SequencerOptions options = parts.sequencer;
  options.watch = partition->value_filters_.get();
  ORRERY_ASSIGN(partition->sequencer_,
                partition::Sequencer::Open(*partition->engine_, parts.commit_pool, parts.clock,
                                           partition->ledger_.get(), options));
  return partition;
}

HostedPartition::~HostedPartition() {
  sequencer_.reset();
  ledger_.reset();
  engine_.reset();
  closed_.set_value();
  if (!remove_files_.load()) return;
  if (Status removed = storage::Engine::Destroy(parts_.resources, path_); !removed.has_value()) {
    LogWarn("{} could not be removed, the next start will try again: {}", path_,
            removed.error().ToString());
  }
}

void HostedPartition::Abandon(Error why) {
  sequencer_->Retire(std::move(why));
  abandoned_.store(true);
}

void HostedPartition::SetRecord(PartitionRecord record) {
  record_.Store(std::make_shared<const PartitionRecord>(std::move(record)));
}

void HostedPartition::RecordUse(ContainerId container, std::string_view partition_key,
                                RequestUnits charge) {
  const uint64_t use = uses_.fetch_add(1, std::memory_order_relaxed);
  const bool samples = use >= kUsesAllNoted;
  // The choice of the uses that are noted must not depend on the order of requests.
  if (samples && Scramble(use) % kNotedOneOf != 0) return;
  const double weight = charge.ToDouble() * (samples ? kNotedOneOf : 1);
  MutexLock lock(heat_mutex_);
  heat_.Add(HeatKey(container, partition_key), weight, parts_.clock.Monotonic());
}

std::vector<HotKey> HostedPartition::Hottest(size_t count) const {
  std::vector<HotKey> hottest;
  MutexLock lock(heat_mutex_);
  for (const auto& entry : heat_.Top(count, parts_.clock.Monotonic())) {
    hottest.push_back({ContainerId(LoadBigEndian<uint32_t>(entry.key.data())),
                       entry.key.substr(sizeof(uint32_t)), entry.weight / kHeatSeconds});
  }
  return hottest;
}

}  // namespace orrery::cluster
