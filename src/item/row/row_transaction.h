// A RowTransaction changes rows of one logical partition: all of them or none.
//
// Without a program nothing is read: changes are merged into whatever is there, by the engine, when
// somebody looks. With one, the sequencer reads the rows it names and applies what it decides.
// Index and feed entries go in the same batch as the rows they tell of, and so do the derived
// writes of the change, as an entry of the outbox: whoever submitted the transaction takes them
// afterwards, delivers them and has the entry removed.
//
// Made on the caller's thread, which does what can be done without the stored state; evaluated and
// completed on the sequencer's.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/request_units.h"
#include "item/container_schema.h"
#include "item/outbox/derived_write_check.h"
#include "item/row/row_program.h"
#include "item/row/row_writer.h"
#include "item/write/ledger.h"
#include "partition/sequencer.h"

namespace orrery::item {

// kTooLarge when one of the changed rows has more bytes; derived writes are not examined.
Status CheckRowSizes(const RowChanges& changes, uint64_t row_bytes_max);

struct RowTransactionRequest {
  std::shared_ptr<const ContainerSchema> schema;  // of a container of rows
  Hash128 hash;
  std::string partition_key;  // encoded component
  RowChanges changes;         // made before those of the program
  std::unique_ptr<RowProgram> program;
  DerivedWriteLimits
      derived_write_limits{};  // its row_bytes_max also holds for what the program decides
  // It follows from a write that was taken, so a full logical partition does not refuse it.
  bool owed = false;
};

class RowTransaction : public partition::Mutation {
 public:
  // Called once for each Submit, with the outcome. On kMoved and kOverloaded the transaction may be
  // submitted again.
  using Done = std::move_only_function<void(std::unique_ptr<RowTransaction> self, Status status)>;
  using Request = RowTransactionRequest;

  RowTransaction(RowTransactionRequest request, Done done);

  // Sets whose totals to keep: those of the partition it is submitted to. Call before each Submit.
  // The ledger must outlive the transaction's stay there.
  void SetLedger(Ledger& ledger) { ledger_ = &ledger; }

  Status Evaluate(partition::GroupWriter& writer) override;
  void Complete(std::unique_ptr<Mutation> self, Result<Lsn> outcome) override;
  size_t bytes() const override { return bytes_; }

  const RowTransactionRequest& request() const { return request_; }
  // The program with what it found out; null without one. After completion only.
  std::unique_ptr<RowProgram> TakeProgram() { return std::move(request_.program); }
  // Takes the derived writes of the request and of the program. After success only.
  std::vector<DerivedWrite> TakeDerivedWrites();
  RequestUnits charge() const { return charge_; }
  Lsn lsn() const { return lsn_; }

 private:
  Status EvaluateAll(RowWriter& rows, partition::GroupWriter& writer);
  Status RunProgram(RowWriter& rows, Micros now);
  Status StoreDerivedWrites(partition::GroupWriter& writer) const;

  RowTransactionRequest request_;
  DerivedWriteCheck checked_;     // of the request's derived writes
  std::optional<Error> refusal_;  // found without looking at the stored state
  RowChanges decided_;            // by the program
  RowBuffers buffers_;
  Done done_;  // none after success
  Ledger* ledger_ = nullptr;
  size_t bytes_ = 0;
  RequestUnits charge_;
  Lsn lsn_;
};

}  // namespace orrery::item
