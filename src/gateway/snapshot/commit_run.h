// A CommitRun brings the writes of a transaction to the partitions that have their items: as one
// group where that is one partition, else prepared, decided by a commit record, and written
// (docs/decisions/0038).
//
// Lives for one commit, on one thread. Calls block.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/request_units.h"
#include "base/status.h"
#include "gateway/catalog/catalog.h"
#include "gateway/snapshot/commit_barrier.h"
#include "gateway/snapshot/commit_rooms.h"
#include "gateway/snapshot/transaction_link.h"
#include "gateway/snapshot/transaction_writes.h"
#include "gateway/write/routed_write.h"
#include "item/write/transaction_group.h"

namespace orrery::gateway {

// The place of an entry in the space of commits: of a commit record, whose number is even, or of
// the mark that a logical partition has what the commit with the even number before it writes
// there.
struct CommitPlace {
  ContainerId container;
  Hash128 hash;
  uint64_t number = 0;

  std::string Key() const;
};

class CommitRun {
 public:
  struct Parts {
    const WriteRouter& router;
    const Catalog& catalog;
    CommitRooms& rooms;
    CommitBarrier& barrier;
    bool in_cluster = false;
  };
  // `writes` must outlive it. REQUIRES: `number` is even, and no other commit ever had it.
  CommitRun(const Parts& parts, const TransactionWrites& writes, uint64_t number);

  enum class End : uint8_t {
    kNothing,    // nothing was changed; the status says why
    kWritten,    // all is written
    kRecorded,   // all is written, and the commit record and the marks are to be removed
    kUndecided,  // it is not known whether the commit record is stored
    kDecided,    // the commit record is stored, and not all is written
  };
  struct Ending {
    End end = End::kNothing;
    Status status;
  };
  // `receipt` is written with the decision.
  Ending Commit(const item::TransactionGroup::Entry& receipt);

  using Entry = item::TransactionGroup::Entry;
  // Has all groups tried, and an entry for each logical partition stored beside it. kNothing: none
  // is stored; kUndecided: some may be.
  Ending Prepare(const std::function<Entry(const LogicalWrites&)>& entry_of);
  // Writes what was prepared, or not, and removes the entries of its CommitPlaces. What another has
  // removed was written or given up by it.
  Status Resolve(bool writes);
  // Writes entries of a logical partition, all or none.
  Status Store(const LogicalPlace& place, std::vector<Entry> entries);

  // Returns whether the commit record is stored: after kUndecided. kUnavailable: not known yet.
  Result<bool> IsRecorded() const;
  // Writes what is not written yet of a commit that was decided before.
  Status Redo();

  CommitPlace RecordPlace() const;
  // Of each logical partition.
  std::vector<CommitPlace> MarkPlaces() const;
  RequestUnits charge() const { return charge_; }

 private:
  using Act = item::TransactionGroup::Act;
  struct Member {
    const LogicalWrites* logical = nullptr;
    RoutedWrite routed;
  };
  // A Group is the part of the commit that one partition has.
  struct Group {
    std::vector<Member> members;
    std::vector<item::TransactionGroup::Entry> entries = {};
    Status done = {};
    bool is_unmet = false;  // it has failed by the condition of an entry
  };

  Result<RoutedWrite> Route(ContainerId container, Hash128 hash) const;
  Result<std::vector<Group>> RouteAll(const std::vector<const LogicalWrites*>& logical) const;
  // Submits the groups at once and waits for all. Written ones are ended.
  void RunAll(std::vector<Group>& groups, Act act);
  // Writes the commit record and the receipt.
  Status Decide(const item::TransactionGroup::Entry& receipt);
  Ending CommitSeveral(std::vector<Group>& groups, const item::TransactionGroup::Entry& receipt);
  // Writes the groups, with marks, until all are, wherever they move.
  Status WriteAll(std::vector<Group> groups);

  const Parts parts_;
  const TransactionWrites& writes_;
  const uint64_t number_;
  RequestUnits charge_;
};

}  // namespace orrery::gateway
