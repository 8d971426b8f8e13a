#include "cql/load/workload.h"

#include <utility>
#include <variant>

#include "base/check.h"

namespace orrery::bench {

using cassandra::BoundValue;

Workload::Workload(WorkloadKind kind, KeyChooser keys, const Statements& statements,
                   const RowMaker& rows)
    : kind_(kind), keys_(std::move(keys)), statements_(statements), rows_(rows) {
  ORRERY_CHECK(kind != WorkloadKind::kNone);
}

OperationKind Workload::NextKind() {
  if (kind_ == WorkloadKind::kRead) return OperationKind::kRead;
  if (kind_ == WorkloadKind::kInsert) return OperationKind::kInsert;
  read_next_ = !read_next_;
  return read_next_ ? OperationKind::kInsert : OperationKind::kRead;
}

OperationKind Workload::Next(cassandra::ExecuteRequest& request) {
  const OperationKind kind = NextKind();
  const uint64_t number = keys_.Next();
  RowMaker::MakeKey(number, key_);
  const PreparedId& statement =
      kind == OperationKind::kRead ? statements_.read : statements_.insert;
  request.id = statement.id;
  request.result_metadata_id = statement.result_metadata_id;
  request.parameters.skip_metadata = true;
  auto& values = request.parameters.values;
  values.clear();
  values.push_back({BoundValue::State::kValue, key_});
  if (kind == OperationKind::kInsert) {
    values.push_back({BoundValue::State::kValue, rows_.Value(number)});
  }
  return kind;
}

bool Workload::IsGood(OperationKind kind, const cassandra::Response& response) const {
  if (kind == OperationKind::kInsert)
    return std::holds_alternative<cassandra::VoidResult>(response);
  const auto* rows = std::get_if<cassandra::RowsResult>(&response);
  return rows != nullptr && rows->row_count == 1 && rows->cells.size() == 1 &&
         rows->cells.front().has_value() && rows->cells.front()->size() == rows_.value_bytes();
}

}  // namespace orrery::bench
