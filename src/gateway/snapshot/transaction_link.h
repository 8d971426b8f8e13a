// A TransactionLink is what a transaction of a cluster and its requests to other nodes share: its
// name, which nodes take part in it, and what has become of it there. Each of them has a branch of
// the transaction (branch_table.h), which reads and writes what is open at that node.
//
// Thread-safe.
#pragma once

#include <atomic>
#include <compare>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "base/hash128.h"
#include "base/ids.h"
#include "base/mutex.h"

namespace orrery::gateway {

// Names a transaction among all nodes: the node that began it, and a number that it gave once.
struct TransactionId {
  NodeId node;
  uint64_t number = 0;

  friend auto operator<=>(const TransactionId&, const TransactionId&) = default;
};

// A logical partition; of a decision, the one that has it beside its items.
struct LogicalPlace {
  ContainerId container;
  Hash128 hash;

  friend auto operator<=>(const LogicalPlace&, const LogicalPlace&) = default;
};

// Why a transaction can only be aborted.
enum class TransactionFailure : uint8_t {
  kNone,
  kConflict,     // another was faster: run it again
  kUnavailable,  // the state of the start cannot be shown any more: run it again
  kTooLarge,
  kElsewhere,  // it would need what one commit cannot have
};

class TransactionLink {
 public:
  explicit TransactionLink(const TransactionId& id) : id_(id) {}

  const TransactionId& id() const { return id_; }

  // The first failure of any branch.
  TransactionFailure failure() const { return failure_.load(std::memory_order_acquire); }
  void NoteFailure(TransactionFailure failure) {
    TransactionFailure none = TransactionFailure::kNone;
    failure_.compare_exchange_strong(none, failure, std::memory_order_acq_rel);
  }

  // Notes that a node may have a branch of it; and that it may have been written to there.
  void NoteBranch(NodeId node) EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    branches_.insert(node);
  }
  void NoteWriter(NodeId node, const LogicalPlace& place) EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    writers_.insert(node);
    if (!first_place_.has_value()) first_place_ = place;
  }
  std::vector<NodeId> branches() const EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return {branches_.begin(), branches_.end()};
  }
  // The first logical partition at another node that it may have written to.
  std::optional<LogicalPlace> first_place() const EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return first_place_;
  }
  std::vector<NodeId> writers() const EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return {writers_.begin(), writers_.end()};
  }

 private:
  const TransactionId id_;
  std::atomic<TransactionFailure> failure_ = TransactionFailure::kNone;

  mutable Mutex mutex_;
  std::set<NodeId> branches_ GUARDED_BY(mutex_);
  std::set<NodeId> writers_ GUARDED_BY(mutex_);
  std::optional<LogicalPlace> first_place_ GUARDED_BY(mutex_);
};

}  // namespace orrery::gateway
