#include "item/write/ledger.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "item/layout/key_layout.h"
#include "partition/meta_keys.h"

namespace orrery::item {
namespace {

constexpr std::string_view kTotalsPrefix{"\0tot", 4};
static_assert(kTotalsPrefix[0] == partition::kMetaSpace);

void WriteTotalsKey(std::string& out, ContainerId container) {
  out = kTotalsPrefix;
  AppendBigEndian(out, container.value());
}

// Estimates after a split may undershoot; what is stored is never negative.
Totals Sum(Totals stored, const Totals& change) {
  stored += change;
  return {std::max<int64_t>(stored.bytes, 0), std::max<int64_t>(stored.items, 0)};
}

// "20 GB"; the largest unit that divides the limit, binary or decimal.
std::string SizeText(uint64_t bytes) {
  struct Unit {
    uint64_t binary;
    uint64_t decimal;
    const char* name;
  };
  constexpr Unit kUnits[] = {
      {1ULL << 30, 1'000'000'000, "GB"}, {1ULL << 20, 1'000'000, "MB"}, {1ULL << 10, 1'000, "KB"}};
  for (const Unit& unit : kUnits) {
    if (bytes % unit.binary == 0) return fmt::format("{} {}", bytes / unit.binary, unit.name);
    if (bytes % unit.decimal == 0) return fmt::format("{} {}", bytes / unit.decimal, unit.name);
  }
  return fmt::format("{} bytes", bytes);
}

}  // namespace

class Ledger::CorrectionMutation final : public partition::Mutation {
 public:
  CorrectionMutation(Ledger& ledger, std::map<ContainerId, Totals> by,
                     std::move_only_function<void(Status)> done)
      : ledger_(ledger), by_(std::move(by)), done_(std::move(done)) {}

  Status Evaluate(partition::GroupWriter& writer) override {
    ledger_.Begin();
    for (const auto& [container, change] : by_) ledger_.Add(container, change);
    // A group is only written when it has something to write.
    ledger_.PutTotals(writer);
    return {};
  }

  void Complete(std::unique_ptr<Mutation> /*self*/, Result<Lsn> outcome) override {
    done_(outcome.has_value() ? Status() : Fail(std::move(outcome).error()));
  }

  size_t bytes() const override { return by_.size() * sizeof(Change); }

 private:
  Ledger& ledger_;
  const std::map<ContainerId, Totals> by_;
  std::move_only_function<void(Status)> done_;
};

Result<std::unique_ptr<Ledger>> Ledger::Open(const storage::Engine& engine) {
  ORRERY_ASSIGN(auto stored, ReadStoredTotals(engine, nullptr));
  return std::unique_ptr<Ledger>(new Ledger(std::move(stored)));
}

void Ledger::Begin() {
  transaction_.clear();
  seen_at_begin_ = seen_.size();
  row_changes_.Begin();
}

Result<Totals> Ledger::SizeOf(partition::GroupWriter& writer, ContainerId container, Hash128 hash,
                              std::string_view partition_key) {
  WriteSizesKey(key_, container, hash, partition_key);
  ORRERY_ASSIGN(const auto stored, writer.Get(key_));
  if (!stored.has_value()) return Totals{};
  return DecodeTotals(*stored);
}

Result<Totals> Ledger::RecordChange(partition::GroupWriter& writer, ContainerId container,
                                    Hash128 hash, std::string_view partition_key, Totals change,
                                    uint64_t bytes_max) {
  ORRERY_ASSIGN(const Totals size, SizeOf(writer, container, hash, partition_key));
  return RecordChange(writer, container, hash, partition_key, size, change, bytes_max);
}

Result<Totals> Ledger::RecordChange(partition::GroupWriter& writer, ContainerId container,
                                    Hash128 hash, std::string_view partition_key, Totals size,
                                    Totals change, uint64_t bytes_max) {
  ORRERY_TRY(CheckGrowth(change));
  size += change;
  if (size.bytes < 0 || size.items < 0) {
    return Fail(Code::kCorruption, "a logical partition's stored size is smaller than its items");
  }
  if (bytes_max != 0 && change.bytes > 0 && static_cast<uint64_t>(size.bytes) > bytes_max) {
    return Fail(Code::kPartitionFull,
                "Partition key reached maximum size of " + SizeText(bytes_max));
  }
  WriteSizesKey(key_, container, hash, partition_key);
  if (size == Totals{}) {
    writer.Delete(key_);
  } else {
    WriteTotals(value_, size);
    writer.Put(key_, value_);
  }
  Add(container, change);
  const auto bytes = static_cast<uint64_t>(size.bytes);
  if (change.bytes < 0 || bytes > large_floor_.load(std::memory_order_relaxed)) {
    seen_.push_back({container, hash, std::string(partition_key), bytes});
  }
  return size;
}

Status Ledger::RecordTotals(ContainerId container, Totals change) {
  ORRERY_TRY(CheckGrowth(change));
  Add(container, change);
  return {};
}

uint64_t Ledger::BytesOf(ContainerId container) const {
  MutexLock lock(mutex_);
  const auto found = committed_.find(container);
  return found == committed_.end() ? 0 : static_cast<uint64_t>(found->second.bytes);
}

Status Ledger::CheckGrowth(const Totals& change) const {
  if (change.bytes <= 0 || !growth_refused_.load(std::memory_order_relaxed)) return {};
  return Fail(Code::kResourceExhausted,
              "the disk is full but for a reserve: reads, deletes and smaller versions of items "
              "are taken, more data when there is room again");
}

void Ledger::Add(ContainerId container, Totals change) {
  group_[container] += change;
  transaction_.push_back({container, change});
}

void Ledger::Rollback() {
  for (const Change& change : transaction_) group_[change.container] += -change.totals;
  transaction_.clear();
  seen_.resize(std::min(seen_.size(), seen_at_begin_));
  row_changes_.Rollback();
}

void Ledger::PutTotals(partition::GroupWriter& writer) {
  MutexLock lock(mutex_);
  const auto of = [](const std::map<ContainerId, Totals>& totals, ContainerId container) {
    const auto found = totals.find(container);
    return found != totals.end() ? found->second : Totals{};
  };
  for (const auto& [container, change] : group_) {
    const Totals before = item::Sum(of(committed_, container), of(sealed_, container));
    const Totals sum = item::Sum(before, change);
    WriteTotalsKey(key_, container);
    if (sum == Totals{}) {
      writer.Delete(key_);
    } else {
      WriteTotals(value_, sum);
      writer.Put(key_, value_);
    }
  }
}

void Ledger::BeforeCommit(partition::GroupWriter& writer) {
  PutTotals(writer);
  row_changes_.Flush(writer);
  sealed_seen_.swap(seen_);
  MutexLock lock(mutex_);
  sealed_.swap(group_);
}

void Ledger::AfterCommit(bool durable) {
  MutexLock lock(mutex_);
  if (durable) {
    for (const auto& [container, change] : sealed_) {
      Totals& totals = committed_[container];
      totals = item::Sum(totals, change);
      if (totals == Totals{}) committed_.erase(container);
    }
    for (LargeKey& key : sealed_seen_) largest_.Note(std::move(key));
    large_floor_.store(largest_.floor(), std::memory_order_relaxed);
  }
  sealed_.clear();
  sealed_seen_.clear();
}

std::map<ContainerId, Totals> Ledger::ByContainer() const {
  MutexLock lock(mutex_);
  return committed_;
}

Totals Ledger::Sum() const {
  MutexLock lock(mutex_);
  Totals sum;
  for (const auto& [container, totals] : committed_) sum += totals;
  return sum;
}

std::vector<LargeKey> Ledger::Largest(size_t count) const {
  MutexLock lock(mutex_);
  return largest_.Top(count);
}

std::unique_ptr<partition::Mutation> Ledger::Correction(
    Ledger& ledger, std::map<ContainerId, Totals> by, std::move_only_function<void(Status)> done) {
  return std::make_unique<CorrectionMutation>(ledger, std::move(by), std::move(done));
}

Result<std::map<ContainerId, Totals>> ReadStoredTotals(const storage::Engine& engine,
                                                       const storage::Snapshot* snapshot) {
  std::map<ContainerId, Totals> stored;
  const std::string prefix(kTotalsPrefix);
  const auto cursor =
      engine.NewIterator({.lower = prefix, .upper = PrefixEnd(prefix), .snapshot = snapshot});
  for (cursor->SeekToFirst(); cursor->Valid(); cursor->Next()) {
    if (cursor->key().size() != prefix.size() + sizeof(uint32_t)) {
      return Fail(Code::kCorruption, "a stored total has a damaged key");
    }
    ORRERY_ASSIGN(const Totals totals, DecodeTotals(cursor->value()));
    stored.emplace(LoadBigEndian<uint32_t>(cursor->key().data() + prefix.size()), totals);
  }
  ORRERY_TRY(cursor->status());
  return stored;
}

}  // namespace orrery::item
