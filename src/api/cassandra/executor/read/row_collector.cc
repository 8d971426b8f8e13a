#include "api/cassandra/executor/read/row_collector.h"

#include <algorithm>

#include "api/cassandra/executor/row/key_values.h"
#include "base/work_scope.h"

namespace orrery::cassandra {
namespace {

// Returns whether candidates may lie outside the ranges of clustering keys that were asked for.
bool MayLieOutside(const BoundKeys& keys) {
  return keys.index.has_value() || (!keys.partition_keys.has_value() && keys.ranges.size() > 1);
}

bool ReadsClustering(const SelectPlan& plan) {
  const auto uses =
      std::span(plan.uses).subspan(plan.table->partition_key_count, plan.table->clustering_count);
  return std::ranges::any_of(uses, &ColumnUse::value);
}

}  // namespace

RowCollector::RowCollector(const Parts& parts, const CollectorLimits& limits)
    : parts_(parts),
      limits_(limits),
      check_ranges_(MayLieOutside(parts.keys)),
      reads_clustering_(ReadsClustering(parts.plan)),
      assembler_(*parts.plan.table, parts.plan.uses),
      writer_(parts.plan),
      group_(parts.plan) {
  if (!parts.plan.sort.empty() || parts.plan.nearest.has_value())
    sorted_.emplace(parts.plan, limits.rows);
  if (parts.plan.is_distinct) limits_.per_partition = 1;
}

void RowCollector::Resume(const SourceStart& start) {
  mark_ = start.mark;
  partition_ = start.mark.key;
  partition_rows_ = start.partition_rows;
}

std::optional<size_t> RowCollector::room() const {
  if (parts_.plan.is_aggregate() || sorted_.has_value()) return std::nullopt;
  std::optional<size_t> room = limits_.rows;
  if (limits_.page_rows != 0) {
    const size_t left = limits_.page_rows - std::min<size_t>(rows(), limits_.page_rows);
    room = std::min(room.value_or(left), left);
  }
  return room;
}

CqlResult<RowCollector::Taken> RowCollector::Take(const SourcePage& page) {
  last_partition_ = nullptr;
  last_row_ = nullptr;
  Taken taken = Taken::kAll;
  for (const SourcePartition& partition : page.partitions) {
    CQL_ASSIGN(taken, TakePartition(partition));
    if (taken != Taken::kAll) break;
  }
  KeepMark();
  return taken;
}

void RowCollector::KeepMark() {
  if (last_partition_ == nullptr) return;
  mark_ = RowMark{last_partition_->key, std::nullopt};
  // Without clustering columns a row is all of its partition.
  if (last_row_ != nullptr && parts_.plan.table->clustering_count > 0)
    mark_->clustering = last_row_->clustering;
}

CqlResult<RowCollector::Taken> RowCollector::TakePartition(const SourcePartition& partition) {
  if (partition.key != partition_) {
    partition_ = partition.key;
    partition_rows_ = 0;
  }
  CQL_ASSIGN(partition_key_, PartitionKeyValues(*parts_.plan.table, partition.key));
  if (partition.rows.empty()) {
    if (!partition.ends) return Taken::kAll;
    if (!parts_.plan.statics_alone || !partition.begins || partition.static_row.empty()) {
      last_partition_ = &partition;
      last_row_ = nullptr;
      return Taken::kAll;
    }
    return TakeRow(partition, nullptr);
  }
  for (const SourceRow& row : partition.rows) {
    if (WorkScope::Step())
      return std::unexpected(
          ToCqlError(Error(Code::kCancelled, "the read is not wanted any more")));
    if (check_ranges_ && !IsAskedFor(row)) {
      last_partition_ = &partition;
      last_row_ = &row;
      continue;
    }
    CQL_ASSIGN(const Taken taken, TakeRow(partition, &row));
    if (taken != Taken::kAll) return taken;
  }
  return Taken::kAll;
}

CqlResult<RowCollector::Taken> RowCollector::TakeRow(const SourcePartition& partition,
                                                     const SourceRow* row) {
  const bool is_grouped = parts_.plan.is_aggregate();
  Taken taken = Taken::kAll;
  // Groups count against the limit, not their rows; but of a partition DISTINCT takes one row.
  const bool is_limited = !is_grouped || parts_.plan.is_distinct;
  const bool is_over =
      is_limited && limits_.per_partition.has_value() && partition_rows_ >= *limits_.per_partition;
  if (!is_over) {
    CQL_ASSIGN(const bool shows, Assemble(partition, row));
    if (shows && parts_.filter.Matches(assembler_.values())) {
      if (is_grouped) {
        CQL_ASSIGN(taken, TakeGrouped(partition));
        // The row was left for the next page.
        if (taken != Taken::kAll) return taken;
        if (parts_.plan.is_distinct) partition_rows_ = 1;
      } else {
        ++partition_rows_;
        CQL_TRY(Emit(assembler_.values(), {}));
        if (IsEnough()) return Taken::kEnough;
        if (is_full()) taken = Taken::kFull;
      }
    }
  }
  last_partition_ = &partition;
  last_row_ = row;
  return taken;
}

CqlResult<RowCollector::Taken> RowCollector::TakeGrouped(const SourcePartition& partition) {
  Evaluation evaluation = parts_.evaluation;
  evaluation.row = &assembler_.values();
  CQL_ASSIGN(std::string key, group_.KeyOf(partition.key, evaluation));
  if (group_.is_open() && group_.key() != key) {
    CQL_TRY(CloseGroup());
    if (IsEnough()) return Taken::kEnough;
    if (is_full()) return Taken::kFull;
  }
  if (!group_.is_open()) {
    if (limits_.per_partition.has_value() && partition_rows_ >= *limits_.per_partition)
      return Taken::kAll;
    ++partition_rows_;
    group_.Open(std::move(key));
  }
  CQL_TRY(group_.Add(evaluation));
  return Taken::kAll;
}

CqlStatus RowCollector::Finish() {
  // Aggregates of no rows at all are a result too.
  if (parts_.plan.grouping.kind == Grouping::Kind::kAll && !group_.is_open()) group_.Open("");
  if (group_.is_open()) CQL_TRY(CloseGroup());
  return {};
}

CqlStatus RowCollector::CloseGroup() {
  CQL_ASSIGN(const RowGroup::Result result, group_.Close());
  return Emit(result.row, result.aggregates);
}

CqlStatus RowCollector::Emit(const RowValues& row, std::span<const TermValue> aggregates) {
  Evaluation evaluation = parts_.evaluation;
  evaluation.row = &row;
  evaluation.aggregates = aggregates;
  if (sorted_.has_value()) {
    std::string cells;
    CQL_TRY(writer_.Append(evaluation, cells));
    return sorted_->Add(evaluation, std::move(cells));
  }
  CQL_TRY(writer_.Append(evaluation, cells_));
  ++rows_;
  if (limits_.rows.has_value()) --*limits_.rows;
  if (cells_.size() > kAnswerBytesMax)
    return Invalid("The result is too large for one answer; ask for pages");
  return {};
}

bool RowCollector::is_full() const {
  return limits_.page_rows != 0 && !sorted_.has_value() &&
         (rows() >= limits_.page_rows || cells_.size() >= kPageBytesMax);
}

CqlResult<bool> RowCollector::Assemble(const SourcePartition& partition, const SourceRow* row) {
  const Table& table = *parts_.plan.table;
  assembler_.Begin(parts_.now_s);
  if (row != nullptr && !row->values.empty()) {
    for (size_t place = 0; place < row->values.size(); ++place) {
      if (row->values[place].has_value()) assembler_.SetKey(place, *row->values[place]);
    }
    return true;
  }
  for (size_t i = 0; i < partition_key_.size(); ++i) assembler_.SetKey(i, partition_key_[i]);
  bool statics_show = false;
  if (parts_.plan.reads_statics || row == nullptr) {
    CQL_ASSIGN(statics_show, assembler_.AddEncoded(partition.static_row, {}));
  }
  if (row == nullptr) return statics_show;
  if (reads_clustering_) {
    CQL_ASSIGN(clustering_, ClusteringValues(table, row->clustering));
    for (size_t i = 0; i < clustering_.size(); ++i)
      assembler_.SetKey(table.partition_key_count + i, clustering_[i]);
  }
  CQL_ASSIGN(const bool row_shows, assembler_.AddEncoded(row->row, row->covering_deletion));
  return row_shows;
}

bool RowCollector::IsAskedFor(const SourceRow& row) const {
  return std::ranges::any_of(parts_.keys.ranges, [&](const ClusteringRange& range) {
    return range.Contains(row.clustering);
  });
}

void RowCollector::Give(std::string& cells, int32_t& rows) {
  if (sorted_.has_value()) rows_ = sorted_->Finish(cells_);
  cells = std::move(cells_);
  rows = rows_;
}

}  // namespace orrery::cassandra
