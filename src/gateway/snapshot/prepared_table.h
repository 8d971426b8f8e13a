// The PreparedTable has the commits that are in doubt at this node of a cluster: what they write
// here is stored in prepare records and reserved, and a decision that is stored somewhere else says
// whether it is made or given up (docs/decisions/0069).
//
//   prepare record := the key CommitPlace{container, hash, number}
//                  -> decision:place writes:bytes keys:count*(key:bytes)
//   place          := container:number hash
//
// It is filled by commits, and with what the records of a partition say before that partition is
// served here. Readers outside of transactions wait for what is in doubt where they read; so they
// never see a part of a commit.
//
// Thread-safe.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/hash128.h"
#include "base/ids.h"
#include "base/mutex.h"
#include "base/status.h"
#include "cluster/hosted_partition.h"
#include "gateway/snapshot/transaction_link.h"
#include "gateway/snapshot/transaction_writes.h"
#include "partition/map/hash_range.h"
#include "partition/reservations.h"
#include "storage/iterator.h"

namespace orrery::gateway {

struct CommitOutcome {
  bool committed = false;
  Micros time{0};  // of the commit: after all of it was prepared
};

struct PrepareRecord {
  LogicalPlace decision;
  TransactionWrites writes;       // of one logical partition
  std::vector<std::string> keys;  // that it has reserved there

  std::string Encode() const;
  // kCorruption.
  static Result<PrepareRecord> Decode(std::string_view bytes);
};

class PreparedTable {
 public:
  using Holder = partition::Reservations::Holder;
  // The longest time that a reader waits for one that is in doubt.
  static constexpr std::chrono::seconds kWaitMax{5};
  // Outcomes that are remembered, for the snapshots in which they are in doubt.
  static constexpr size_t kOutcomesMax = 100'000;

  // Both must outlive it.
  PreparedTable(partition::Reservations& reservations, const Clock& clock)
      : reservations_(reservations), clock_(clock) {}

  // Adds a commit, or places to one. Its keys are reserved by `holder` already.
  void Add(uint64_t number, const LogicalPlace& decision, const std::vector<LogicalPlace>& places,
           Holder holder) EXCLUDES(mutex_);
  // Adds what the prepare records of a partition say, and reserves it: before anybody can write.
  Status Load(const cluster::HostedPartition& partition) EXCLUDES(mutex_);

  std::vector<LogicalPlace> PlacesOf(uint64_t number) const EXCLUDES(mutex_);
  // Forgets a place that is another node's now.
  void Drop(uint64_t number, const LogicalPlace& place) EXCLUDES(mutex_);
  // Ends a commit whose outcome is carried out here, or of which nothing is left here (none).
  void End(uint64_t number, const std::optional<CommitOutcome>& outcome) EXCLUDES(mutex_);

  // Excludes others who would carry out the outcome of the same commit, while it lives.
  class Claim {
   public:
    Claim(PreparedTable& table, uint64_t number) : table_(table), number_(number) {
      table_.Take(number_);
    }
    ~Claim() { table_.GiveBack(number_); }
    Claim(const Claim&) = delete;
    Claim& operator=(const Claim&) = delete;

   private:
    PreparedTable& table_;
    const uint64_t number_;
  };

  // Waits for the outcome. kUnavailable: it did not come in time, or is not remembered.
  Result<CommitOutcome> WaitFor(uint64_t number) EXCLUDES(mutex_);
  // Returns when nothing is in doubt in a range of a container that was so when this was called.
  // kWouldBlock instead of waiting under kCachedOnly, kUnavailable after kWaitMax. One load while
  // nothing is in doubt.
  Status Pass(ContainerId container, const partition::HashRange& range, storage::ReadMode mode) {
    if (count_.load(std::memory_order_acquire) == 0) [[likely]]
      return {};
    return Wait(container, range, mode);
  }

  struct Doubt {
    uint64_t number = 0;
    LogicalPlace decision;
  };
  // Those that have been in doubt here since before a moment.
  std::vector<Doubt> Since(Micros time) const EXCLUDES(mutex_);

 private:
  struct Entry {
    LogicalPlace decision;
    std::set<LogicalPlace> places;
    Holder holder = 0;
    Micros since{0};
    uint64_t order = 0;
  };

  void Take(uint64_t number) EXCLUDES(mutex_);
  void GiveBack(uint64_t number) EXCLUDES(mutex_);
  Status Wait(ContainerId container, const partition::HashRange& range, storage::ReadMode mode)
      EXCLUDES(mutex_);
  // Returns whether something of an order up to `newest` is in doubt there.
  bool IsInDoubtLocked(ContainerId container, const partition::HashRange& range,
                       uint64_t newest) const REQUIRES(mutex_);
  Holder NewHolder() { return (holders_.fetch_add(1) + 1) | Holder{1} << 63; }

  partition::Reservations& reservations_;
  const Clock& clock_;
  std::atomic<Holder> holders_{0};
  std::atomic<size_t> count_{0};

  mutable Mutex mutex_;
  CondVar changed_;
  std::map<uint64_t, Entry> entries_ GUARDED_BY(mutex_);
  uint64_t last_order_ GUARDED_BY(mutex_) = 0;
  std::set<uint64_t> claimed_ GUARDED_BY(mutex_);
  std::map<uint64_t, CommitOutcome> outcomes_ GUARDED_BY(mutex_);
  std::deque<uint64_t> by_age_ GUARDED_BY(mutex_);  // of outcomes_
};

}  // namespace orrery::gateway
