// A TransactionGroup is several transactions of one physical partition that are done together: all
// of their operations or none, in one write.
//
// It is how a transaction over several logical partitions is committed. What its members write is
// reserved for it (partition/reservations.h).
//
// Made on the caller's thread; evaluated and completed on the sequencer's.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/status.h"
#include "item/write/ledger.h"
#include "item/write/transaction.h"
#include "partition/sequencer.h"

namespace orrery::item {

class TransactionGroup final : public partition::Mutation {
 public:
  // kTry evaluates the group and takes it back: whether it could be done. kDo does it.
  enum class Act : uint8_t { kTry, kDo };
  // An entry that is written with the group. No value: it is removed. A condition that does not
  // hold makes the group fail with kPreconditionFailed before anything is evaluated (is_unmet).
  struct Entry {
    enum class Condition : uint8_t { kNone, kAbsent, kPresent };
    std::string key;
    std::optional<std::string> value;
    Condition condition = Condition::kNone;
  };
  struct Parts {
    std::vector<TransactionRequest> transactions;
    std::vector<Entry> entries;
    Act act = Act::kDo;
  };
  // Called once. Of kTry, success means that kDo would have succeeded. kMoved: nothing was done.
  using Done = std::move_only_function<void(std::unique_ptr<TransactionGroup> self, Status status)>;

  // `ledger` is that of the partition it is submitted to, and must outlive its stay there.
  TransactionGroup(Parts parts, Ledger& ledger, Done done);

  Status Evaluate(partition::GroupWriter& writer) override;
  void Complete(std::unique_ptr<Mutation> self, Result<Lsn> outcome) override;
  size_t bytes() const override { return bytes_; }

  // After a failure: whether it was the condition of an entry.
  bool is_unmet() const { return is_unmet_; }
  // One for each of the transactions given. Their results are good after success.
  std::vector<std::unique_ptr<Transaction>>& transactions() { return transactions_; }

 private:
  Status EvaluateAll(partition::GroupWriter& writer);

  std::vector<std::unique_ptr<Transaction>> transactions_;
  const std::vector<Entry> entries_;
  const Act act_;
  Ledger& ledger_;
  Done done_;
  bool is_unmet_ = false;
  bool could_ = false;  // kTry: all could be done
  size_t bytes_ = 0;
};

}  // namespace orrery::item
