#include "api/cassandra/executor/read/virtual_source.h"

#include <algorithm>

#include "gateway/row/row_token.h"

namespace orrery::cassandra {
namespace {

// A place in the ring's order; the lower half, which virtual tables have no use for, is zero.
CqlResult<std::string> KeyOf(const Table& table, const VirtualRow& row) {
  std::vector<std::string_view> components;
  for (size_t i = 0; i < table.partition_key_count; ++i)
    components.push_back(row[i].has_value() ? std::string_view(*row[i]) : std::string_view());
  if (components.size() == 1) return std::string(components.front());
  CQL_ASSIGN(std::string key, gateway::JoinKeyComponents(components));
  return key;
}

bool IsAskedFor(const BoundKeys& keys, const SourcePartition& partition) {
  if (keys.partition_keys.has_value()) {
    return std::ranges::find(*keys.partition_keys, partition.key) != keys.partition_keys->end();
  }
  const int64_t token = gateway::TokenOf(partition.key);
  return token >= gateway::TokenOf(keys.ring.begin()) &&
         token <= gateway::TokenOf(keys.ring.last());
}

bool IsInRange(const BoundKeys& keys, const std::string& clustering) {
  return std::ranges::any_of(
      keys.ranges, [&](const ClusteringRange& range) { return range.Contains(clustering); });
}

}  // namespace

VirtualSource::VirtualSource(Question question, std::optional<SourceStart> start)
    : question_(std::move(question)), start_(std::move(start)), done_(question_.keys.none) {}

CqlResult<std::optional<SourcePage>> VirtualSource::Next(const item::PageLimits& limits,
                                                         storage::ReadMode mode) {
  if (mode == storage::ReadMode::kCachedOnly) return std::nullopt;
  if (!loaded_) CQL_TRY(Load());
  loaded_ = true;
  SourcePage page;
  while (given_ < found_.size() && page.examined < std::max<size_t>(limits.items_max, 1)) {
    page.partitions.push_back(found_[given_++]);
    ++page.examined;
  }
  done_ = given_ >= found_.size();
  return page;
}

CqlStatus VirtualSource::Load() {
  const BoundKeys& keys = question_.keys;
  VirtualQuery query{*question_.schema, *question_.client, std::nullopt};
  if (keys.partition_keys.has_value()) query.partition_keys = *keys.partition_keys;
  CQL_ASSIGN(std::vector<VirtualRow> rows, question_.table->source->Rows(query));
  for (VirtualRow& row : rows) CQL_TRY(AddRow(std::move(row)));
  std::ranges::sort(found_, [this](const SourcePartition& a, const SourcePartition& b) {
    // By key, not by token: as Cassandra keeps the tables of its own node.
    if (a.key != b.key) return a.key < b.key;
    const std::string& first = a.rows.front().clustering;
    const std::string& second = b.rows.front().clustering;
    return question_.reversed ? second < first : first < second;
  });
  return {};
}

bool VirtualSource::IsPassed(const SourcePartition& partition) const {
  if (!start_.has_value()) return false;
  const RowMark& mark = start_->mark;
  const auto& keys = question_.keys.partition_keys;
  const bool is_only = keys.has_value() && keys->size() == 1;
  if (!is_only && partition.key != mark.key) return partition.key < mark.key;
  if (!mark.clustering.has_value()) return true;
  const std::string& clustering = partition.rows.front().clustering;
  return question_.reversed ? clustering >= *mark.clustering : clustering <= *mark.clustering;
}

CqlStatus VirtualSource::AddRow(VirtualRow row) {
  const Table& table = *question_.table;
  SourcePartition partition;
  CQL_ASSIGN(partition.key, KeyOf(table, row));
  // They are sorted by key alone, so all are at one place of the ring.
  if (!IsAskedFor(question_.keys, partition)) return {};
  SourceRow& added = partition.rows.emplace_back();
  for (const Column& column : table.clustering()) {
    const auto& value = row[table.partition_key_count + column.position];
    CQL_TRY(AppendClustering(added.clustering, column,
                             value.has_value() ? std::string_view(*value) : std::string_view()));
  }
  if (!IsInRange(question_.keys, added.clustering)) return {};
  if (IsPassed(partition)) return {};
  added.values = std::move(row);
  found_.push_back(std::move(partition));
  return {};
}

}  // namespace orrery::cassandra
