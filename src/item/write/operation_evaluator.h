// Evaluates the operations of one transaction, one after another, against the stored state.
//
// Lives for one Evaluate, on the sequencer's thread. The writer and the schema must outlive it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

#include "base/request_units.h"
#include "base/status.h"
#include "item/container_schema.h"
#include "item/layout/key_layout.h"
#include "item/write/operation.h"
#include "item/write/prepared_item.h"
#include "item/write/version_writer.h"
#include "partition/group_writer.h"

namespace orrery::item {

// An operation with all that was computed before its turn in the sequencer.
struct PreparedOperation {
  std::string data_key;
  PreparedItem item;  // of an operation with a document
};

class OperationEvaluator {
 public:
  // `empty`: the logical partition is known to have no record, so none is looked for before the
  // first is written.
  OperationEvaluator(partition::GroupWriter& writer, const ContainerSchema& schema, Hash128 hash,
                     std::string_view partition_key, bool empty);

  // After an error nothing that was written may be kept. A written document is not in the result:
  // the caller has it; a patched one and one that was read are.
  Result<OperationResult> Evaluate(const Operation& operation, PreparedOperation& prepared);

  // A copy of a document, for a program (document_program.h).
  struct Look {
    Lsn lsn;
    Micros time{0};
    model::Document document;
  };
  // Returns nullopt when there is none.
  Result<std::optional<Look>> LookAt(std::string_view row_key);

  // Price of the last operation or look, also when it failed.
  RequestUnits charge() const { return charge_; }
  // Returns what all operations so far add to the logical partition's size.
  Totals change() const { return change_; }
  // Of the last operation, when a unique index refused it (VersionWriter::conflict).
  const std::string& conflict() const { return versions_.conflict(); }

 private:
  // The stored version, when there is one; the view is good until the writer is used again.
  struct Stored {
    size_t bytes = 0;
    RecordView record;
    bool expired = false;
  };
  Result<std::optional<Stored>> Load(const PreparedOperation& prepared);
  Result<std::optional<Stored>> Load(const std::string& data_key);
  Result<OperationResult> Write(ItemRef item, PreparedOperation& prepared,
                                const std::optional<Stored>& stored);
  Result<OperationResult> Patch(ItemRef item, const Operation& operation,
                                PreparedOperation& prepared, const Stored& stored);
  Result<OperationResult> Delete(ItemRef item, const PreparedOperation& prepared,
                                 const Stored& stored);
  OperationResult Read(const Stored& stored);

  partition::GroupWriter& writer_;
  const ContainerSchema& schema_;
  const Hash128 hash_;
  const std::string_view partition_key_;
  bool empty_;
  // Keys of data that a program was told are absent, and that were not written since: what it
  // creates need not be looked for again.
  std::unordered_set<std::string> absent_;
  VersionWriter versions_;
  RequestUnits charge_;
  Totals change_;
};

}  // namespace orrery::item
