#include "api/cassandra/executor/write/modification_changes.h"

#include <algorithm>

namespace orrery::cassandra {
namespace {

const model::Row* Look(const CurrentRows& current, std::string_view clustering) {
  return current ? current(clustering) : nullptr;
}

void AddRow(item::RowChanges& changes, std::string clustering, RowBuilder& builder) {
  if (!builder.empty()) changes.rows.push_back({std::move(clustering), builder.Encode()});
}

CqlStatus AddStatics(item::RowChanges& changes, const BoundModification& bound,
                     const WriteTimes& times, const CurrentRows& current) {
  if (bound.static_operations.empty()) return {};
  RowBuilder builder(times);
  const model::Row* row = Look(current, {});
  for (const BoundOperation& operation : bound.static_operations)
    CQL_TRY(builder.Apply(operation, row));
  AddRow(changes, {}, builder);
  return {};
}

void AddDeletion(item::RowChanges& changes, const ClusteringRange& range,
                 const BoundModification& bound, const WriteTimes& times) {
  const bool clustered = bound.plan->table->clustering_count != 0;
  const bool whole_partition = !clustered || (range.lower.empty() && !range.upper.has_value());
  WriteTimes clearing = times;
  clearing.timestamp_us = times.clearing_us.value_or(times.timestamp_us);
  if (range.is_row || whole_partition) {
    RowBuilder builder(whole_partition ? clearing : times);
    builder.DeleteRow();
    AddRow(changes, clustered ? range.lower : std::string(), builder);
    return;
  }
  changes.range_tombstones.push_back(
      {range.lower, range.upper, {clearing.timestamp_us, times.now_s}});
}

}  // namespace

uint32_t TtlOf(const BoundModification& bound) {
  const int32_t ttl =
      bound.attributes.ttl_s.value_or(bound.plan->table->options.default_time_to_live);
  return static_cast<uint32_t>(std::max(ttl, 0));
}

std::vector<std::string> RowsRead(const BoundModification& bound) {
  const ModificationPlan& plan = *bound.plan;
  const auto reads = [](const ColumnOperation& each) { return each.reads(); };
  std::vector<std::string> rows;
  const bool clustered = plan.table->clustering_count != 0;
  const bool row_read =
      plan.has_row_conditions() || std::ranges::any_of(plan.row_operations, reads);
  if (!plan.only_statics && row_read) {
    for (const ClusteringRange& range : bound.rows)
      rows.push_back(clustered ? range.lower : std::string());
  }
  const bool statics =
      plan.table->has_statics() &&
      (plan.is_conditional() || std::ranges::any_of(plan.static_operations, reads));
  if (statics && std::ranges::find(rows, std::string()) == rows.end()) rows.emplace_back();
  return rows;
}

CqlStatus AddChanges(item::RowChanges& changes, const BoundModification& bound,
                     const WriteTimes& times, const CurrentRows& current) {
  const ModificationPlan& plan = *bound.plan;
  CQL_TRY(AddStatics(changes, bound, times, current));
  const bool clustered = plan.table->clustering_count != 0;
  // WITH COMPACT STORAGE a row is there as long as it has a cell, however it was written.
  const bool by_cells = plan.table->is_compact && !plan.table->regulars().empty();
  for (const ClusteringRange& range : bound.rows) {
    if (plan.deletes_rows()) {
      AddDeletion(changes, range, bound, times);
      continue;
    }
    std::string clustering = clustered ? range.lower : std::string();
    RowBuilder builder(times);
    if (plan.kind == ModificationPlan::Kind::kInsert && !by_cells) builder.SetLive();
    const model::Row* row = Look(current, clustering);
    for (const BoundOperation& operation : bound.row_operations)
      CQL_TRY(builder.Apply(operation, row));
    AddRow(changes, std::move(clustering), builder);
  }
  return {};
}

}  // namespace orrery::cassandra
