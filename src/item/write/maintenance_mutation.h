// Mutations that nobody sent: what keeps indexes, sizes and feeds right. Whoever began one is told
// when it is durable, or why it is not.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <utility>

#include "item/layout/key_layout.h"
#include "item/write/ledger.h"
#include "partition/group_writer.h"
#include "partition/sequencer.h"

namespace orrery::item {

class MaintenanceMutation : public partition::Mutation {
 public:
  using Done = std::move_only_function<void(Status)>;

  explicit MaintenanceMutation(Done done) : done_(std::move(done)) {}
  void Complete(std::unique_ptr<Mutation> /*self*/, Result<Lsn> outcome) final {
    done_(outcome.has_value() ? Status() : Fail(std::move(outcome).error()));
  }

 private:
  Done done_;
};

// One that changes sizes: when it fails they stay as they were.
class SizeMaintenanceMutation : public MaintenanceMutation {
 public:
  SizeMaintenanceMutation(Ledger& ledger, Done done)
      : MaintenanceMutation(std::move(done)), ledger_(ledger) {}

  Status Evaluate(partition::GroupWriter& writer) final {
    ledger_.Begin();
    Status status = Apply(writer);
    if (!status.has_value()) ledger_.Rollback();
    return status;
  }

 protected:
  Ledger& ledger() { return ledger_; }

 private:
  virtual Status Apply(partition::GroupWriter& writer) = 0;

  Ledger& ledger_;
};

// Returns what a mutation that holds the key counts for it in bytes().
inline size_t BytesOf(const ItemKey& key) {
  return sizeof(key) + key.partition_key.size() + key.row_key.size();
}

}  // namespace orrery::item
