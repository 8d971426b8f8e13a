// A BranchTable has the branches that transactions of other nodes have at this one: each is a
// SnapshotTransaction on what is open here, and ends when the node that began the transaction says
// so, or when that node does not know the transaction any more.
//
// Thread-safe.
#pragma once

#include <map>
#include <memory>
#include <shared_mutex>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "base/mutex.h"
#include "gateway/snapshot/transaction_link.h"

namespace orrery::gateway {

class SnapshotTransaction;

struct Branch {
  // Held exclusively by what writes in it or ends it, shared by what reads.
  std::shared_mutex mutex;
  bool ended = false;
  std::shared_ptr<SnapshotTransaction> transaction;
};

class BranchTable {
 public:
  // Branches of all transactions at once.
  static constexpr size_t kBranchesMax = 100'000;

  // Null: it is not known here.
  std::shared_ptr<Branch> Find(const TransactionId& id) const EXCLUDES(mutex_);
  // Finds it, or adds one with no transaction yet. Null: there are too many.
  std::shared_ptr<Branch> Enter(const TransactionId& id, Micros now) EXCLUDES(mutex_);
  // Returns the branch and forgets it.
  std::shared_ptr<Branch> Take(const TransactionId& id) EXCLUDES(mutex_);

  // Those that came before a moment, by the nodes that began them.
  std::map<NodeId, std::vector<TransactionId>> CameBefore(Micros time) const EXCLUDES(mutex_);

 private:
  struct Entry {
    std::shared_ptr<Branch> branch;
    Micros came{0};
  };

  mutable Mutex mutex_;
  std::map<TransactionId, Entry> entries_ GUARDED_BY(mutex_);
};

}  // namespace orrery::gateway
