#include "gateway/snapshot/prepared_table.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "gateway/remote/message.h"
#include "item/layout/key_layout.h"

namespace orrery::gateway {
namespace {

std::unexpected<Error> DamagedRecord() {
  return Fail(Code::kCorruption, "a prepare record of a commit is damaged");
}

}  // namespace

std::string PrepareRecord::Encode() const {
  MessageWriter out;
  out.Number(decision.container.value());
  out.Hash(decision.hash);
  out.Bytes(writes.Encode());
  out.Number(keys.size());
  for (const std::string& key : keys) out.Bytes(key);
  return std::move(out).Take();
}

Result<PrepareRecord> PrepareRecord::Decode(std::string_view bytes) {
  MessageReader in(bytes);
  PrepareRecord record;
  record.decision.container = ContainerId(static_cast<uint32_t>(in.Number(UINT32_MAX)));
  record.decision.hash = in.Hash();
  const std::string_view writes = in.Bytes();
  for (size_t left = in.Count(); left > 0; --left) record.keys.push_back(in.String());
  if (!in.End().has_value()) return DamagedRecord();
  ORRERY_ASSIGN(record.writes, TransactionWrites::Decode(writes));
  if (record.writes.logical().size() != 1) return DamagedRecord();
  return record;
}

void PreparedTable::Add(uint64_t number, const LogicalPlace& decision,
                        const std::vector<LogicalPlace>& places, Holder holder) {
  MutexLock lock(mutex_);
  Entry& entry = entries_[number];
  if (entry.order == 0) {
    entry.order = ++last_order_;
    entry.holder = holder;
    entry.since = clock_.Monotonic();
  }
  entry.decision = decision;
  entry.places.insert(places.begin(), places.end());
  count_.store(entries_.size(), std::memory_order_release);
}

Status PreparedTable::Load(const cluster::HostedPartition& partition) {
  const std::string prefix(1, static_cast<char>(item::Space::kCommit));
  const auto record_of_partition = partition.record();
  const auto cursor = partition.engine().NewIterator(
      {.lower = prefix, .upper = item::PrefixEnd(prefix), .fill_cache = false});
  for (cursor->SeekToFirst(); cursor->Valid(); cursor->Next()) {
    const auto key = item::DecodeKey(cursor->key());
    if (!key.has_value()) return DamagedRecord();
    // What a split has yet to trim is its sibling's.
    const bool is_own = std::ranges::any_of(record_of_partition->slices, [&](const auto& slice) {
      return slice.container == key->container && slice.range.Contains(key->hash);
    });
    if (!is_own) continue;
    ORRERY_ASSIGN(const PrepareRecord record, PrepareRecord::Decode(cursor->value()));
    Holder holder = NewHolder();
    {
      MutexLock lock(mutex_);
      if (const auto known = entries_.find(key->number); known != entries_.end())
        holder = known->second.holder;
    }
    for (const std::string& reserved : record.keys) {
      // Nothing else can have it: the partition is not served yet.
      static_cast<void>(reservations_.Reserve(reserved, holder));
    }
    Add(key->number, record.decision, {{key->container, key->hash}}, holder);
  }
  return cursor->status();
}

std::vector<LogicalPlace> PreparedTable::PlacesOf(uint64_t number) const {
  MutexLock lock(mutex_);
  const auto found = entries_.find(number);
  if (found == entries_.end()) return {};
  return {found->second.places.begin(), found->second.places.end()};
}

void PreparedTable::Drop(uint64_t number, const LogicalPlace& place) {
  MutexLock lock(mutex_);
  if (const auto found = entries_.find(number); found != entries_.end())
    found->second.places.erase(place);
}

void PreparedTable::End(uint64_t number, const std::optional<CommitOutcome>& outcome) {
  Holder holder = 0;
  {
    MutexLock lock(mutex_);
    if (const auto found = entries_.find(number); found != entries_.end()) {
      holder = found->second.holder;
      entries_.erase(found);
    }
    count_.store(entries_.size(), std::memory_order_release);
    if (outcome.has_value() && outcomes_.emplace(number, *outcome).second) {
      by_age_.push_back(number);
      if (by_age_.size() > kOutcomesMax) {
        outcomes_.erase(by_age_.front());
        by_age_.pop_front();
      }
    }
    changed_.NotifyAll();
  }
  if (holder != 0) reservations_.Release(holder);
}

void PreparedTable::Take(uint64_t number) {
  MutexLock lock(mutex_);
  while (!claimed_.insert(number).second) changed_.Wait(mutex_);
}

void PreparedTable::GiveBack(uint64_t number) {
  MutexLock lock(mutex_);
  claimed_.erase(number);
  changed_.NotifyAll();
}

Result<CommitOutcome> PreparedTable::WaitFor(uint64_t number) {
  const auto until = std::chrono::steady_clock::now() + kWaitMax;
  MutexLock lock(mutex_);
  while (true) {
    if (const auto found = outcomes_.find(number); found != outcomes_.end()) return found->second;
    if (!entries_.contains(number))
      return Fail(Code::kUnavailable, "what came of a commit is not known here");
    const auto left = until - std::chrono::steady_clock::now();
    if (left <= left.zero() || !changed_.WaitFor(mutex_, left)) {
      if (outcomes_.contains(number)) continue;
      return Fail(Code::kUnavailable, "a commit over several partitions is still in doubt; retry");
    }
  }
}

bool PreparedTable::IsInDoubtLocked(ContainerId container, const partition::HashRange& range,
                                    uint64_t newest) const {
  return std::ranges::any_of(entries_, [&](const auto& each) {
    const Entry& entry = each.second;
    return entry.order <= newest &&
           std::ranges::any_of(entry.places, [&](const LogicalPlace& place) {
             return place.container == container && range.Contains(place.hash);
           });
  });
}

Status PreparedTable::Wait(ContainerId container, const partition::HashRange& range,
                           storage::ReadMode mode) {
  const auto until = std::chrono::steady_clock::now() + kWaitMax;
  MutexLock lock(mutex_);
  const uint64_t newest = last_order_;
  while (IsInDoubtLocked(container, range, newest)) {
    if (mode == storage::ReadMode::kCachedOnly)
      return Fail(Code::kWouldBlock, "a commit over several partitions is being written");
    const auto left = until - std::chrono::steady_clock::now();
    if (left <= left.zero()) {
      return Fail(Code::kUnavailable,
                  "a commit over several partitions is in doubt here until what it waits for can "
                  "be reached; retry");
    }
    changed_.WaitFor(mutex_, left);
  }
  return {};
}

std::vector<PreparedTable::Doubt> PreparedTable::Since(Micros time) const {
  std::vector<Doubt> doubts;
  MutexLock lock(mutex_);
  for (const auto& [number, entry] : entries_)
    if (entry.since <= time) doubts.push_back({number, entry.decision});
  return doubts;
}

}  // namespace orrery::gateway
