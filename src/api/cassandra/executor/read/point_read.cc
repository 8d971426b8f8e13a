#include "api/cassandra/executor/read/point_read.h"

#include <fmt/format.h>

#include "api/cassandra/executor/read/result_writer.h"
#include "api/cassandra/executor/read/scanned_page.h"
#include "api/cassandra/planner/restriction/clustering_range.h"
#include "api/cassandra/types/validate.h"
#include "gateway/row/row_token.h"
#include "model/row/row_codec.h"

namespace orrery::cassandra {
namespace {

// Memory that the reads of one thread share, one after the other.
struct Scratch {
  std::vector<std::string_view> partition_key;
  std::vector<std::string_view> clustering;
  std::vector<std::string> computed;  // what the views above view, unless the request itself
  std::string joined_key;
  std::string clustering_key;
  std::vector<std::optional<std::string_view>> cells;  // by result column
};

CqlStatus Refuse(bool is_unset, const Column& column) {
  if (is_unset) return Invalid(fmt::format("Invalid unset value for column {}", column.name));
  return Invalid(fmt::format("Invalid null value in condition for column {}", column.name));
}

// A bound value is taken as it lies in the request.
CqlStatus EvaluateKey(std::span<const Expression* const> terms, std::span<const Column> columns,
                      const Evaluation& evaluation, Scratch& scratch,
                      std::vector<std::string_view>& values) {
  values.clear();
  for (size_t i = 0; i < terms.size(); ++i) {
    if (const auto marker = terms[i]->marker()) {
      const BoundValue& value = evaluation.values[*marker];
      if (value.state != BoundValue::State::kValue) return Refuse(value.is_unset(), columns[i]);
      CQL_TRY(Validate(*columns[i].type, value.bytes));
      values.push_back(value.bytes);
      continue;
    }
    CQL_ASSIGN(TermValue value, terms[i]->Evaluate(evaluation));
    if (!value.has_value()) return Refuse(value.is_unset(), columns[i]);
    values.push_back(scratch.computed.emplace_back(std::move(value.bytes)));
  }
  return {};
}

CqlResult<std::string_view> MakeKeys(const PointPlan& point, const Table& table,
                                     const Evaluation& evaluation, Scratch& scratch) {
  scratch.computed.clear();
  // Views must stay good while others are added.
  scratch.computed.reserve(point.partition_key.size() + point.clustering.size());
  CQL_TRY(EvaluateKey(point.partition_key, table.partition_key(), evaluation, scratch,
                      scratch.partition_key));
  CQL_TRY(
      EvaluateKey(point.clustering, table.clustering(), evaluation, scratch, scratch.clustering));
  scratch.clustering_key.clear();
  for (size_t i = 0; i < scratch.clustering.size(); ++i) {
    CQL_TRY(AppendClustering(scratch.clustering_key, table.clustering()[i], scratch.clustering[i]));
  }
  if (scratch.partition_key.size() == 1) return scratch.partition_key.front();
  CQL_ASSIGN(scratch.joined_key, gateway::JoinKeyComponents(scratch.partition_key));
  return std::string_view(scratch.joined_key);
}

// Both the row's cells and the wanted ones are in order of column.
Status TakeCells(std::string_view row, const model::Deletion& covering_deletion, uint32_t now_s,
                 std::span<const PointPlan::Cell> wanted,
                 std::vector<std::optional<std::string_view>>& cells) {
  if (row.empty() || wanted.empty()) return {};
  ORRERY_ASSIGN(model::RowCursor cursor, model::RowCursor::Open(row));
  size_t next = 0;
  for (model::Cell cell; next < wanted.size();) {
    ORRERY_ASSIGN(const bool found, cursor.Next(cell));
    if (!found) break;
    while (next < wanted.size() && wanted[next].column < cell.column) ++next;
    if (!cell.LiveAt(now_s) || covering_deletion.Covers(cell.timestamp) ||
        cursor.deletion().Covers(cell.timestamp)) {
      continue;
    }
    for (; next < wanted.size() && wanted[next].column == cell.column; ++next)
      cells[wanted[next].result] = cell.value;
  }
  return {};
}

CqlStatus WriteRow(const PointQuestion& question, const item::ReadRow& row, Scratch& scratch,
                   RowsOutcome& outcome) {
  const PointPlan& point = *question.plan.point;
  scratch.cells.assign(point.columns.size(), std::nullopt);
  CQL_TRY(
      TakeCells(row.row(), row.covering_deletion, question.now_s, point.regular, scratch.cells));
  CQL_TRY(TakeCells(row.static_row(), {}, question.now_s, point.statics, scratch.cells));
  size_t bytes = 0;
  for (size_t i = 0; i < point.columns.size(); ++i) {
    const PointPlan::Source& source = point.columns[i];
    if (source.kind == ColumnKind::kPartitionKey) {
      scratch.cells[i] = scratch.partition_key[source.position];
    } else if (source.kind == ColumnKind::kClustering) {
      scratch.cells[i] = scratch.clustering[source.position];
    }
    bytes += sizeof(int32_t) + (scratch.cells[i].has_value() ? scratch.cells[i]->size() : 0);
  }
  outcome.cells.reserve(bytes);
  for (const auto& cell : scratch.cells) AppendCell(outcome.cells, cell);
  outcome.rows = 1;
  return {};
}

}  // namespace

std::optional<Outcome> ReadPoint(gateway::RowGateway& rows, const PointQuestion& question,
                                 storage::ReadMode mode) {
  thread_local Scratch scratch;
  const SelectPlan& plan = question.plan;
  const auto key = MakeKeys(*plan.point, *plan.table, question.evaluation, scratch);
  if (!key.has_value()) return Outcome::Failed(key.error());
  const auto read = rows.Read(plan.table->container, *key, scratch.clustering_key,
                              !plan.point->statics.empty(), mode);
  if (!read.has_value()) {
    const auto refused = ScanError(read.error());
    if (refused.has_value()) return std::nullopt;
    return Outcome::Failed(refused.error());
  }
  Outcome outcome;
  outcome.charge = read->charge;
  RowsOutcome& result = outcome.result.emplace<RowsOutcome>();
  result.shape = question.shape;
  if (!read->row.row_visible) return outcome;
  if (auto written = WriteRow(question, read->row, scratch, result); !written.has_value())
    return Outcome::Failed(written.error());
  return outcome;
}

}  // namespace orrery::cassandra
