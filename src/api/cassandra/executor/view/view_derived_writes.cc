#include "api/cassandra/executor/view/view_derived_writes.h"

#include <chrono>
#include <map>
#include <utility>

#include "api/cassandra/executor/row/key_values.h"
#include "model/row/row_codec.h"

namespace orrery::cassandra {
namespace {

// The key of a base row with the values of its columns.
class KeyParts {
 public:
  static CqlResult<KeyParts> Make(const Table& base, std::string_view partition_key) {
    KeyParts parts(base, partition_key);
    CQL_ASSIGN(parts.values_, PartitionKeyValues(base, partition_key));
    return parts;
  }

  CqlResult<BaseKey> Of(std::string_view clustering) {
    values_.resize(base_.partition_key_count);
    if (base_.clustering_count != 0) {
      CQL_ASSIGN(auto more, ClusteringValues(base_, clustering));
      for (std::string& value : more) values_.push_back(std::move(value));
    }
    return BaseKey{partition_key_, clustering, values_};
  }

 private:
  KeyParts(const Table& base, std::string_view partition_key)
      : base_(base), partition_key_(partition_key) {}

  const Table& base_;
  const std::string_view partition_key_;
  std::vector<std::string> values_;
};

// Gathers the changes of view rows, one derived write for each partition of a view.
class Gatherer {
 public:
  explicit Gatherer(Micros now)
      : now_us_(now.count()),
        now_s_(static_cast<uint32_t>(std::chrono::floor<std::chrono::seconds>(now).count())) {}

  void Put(const Table& view, ViewRow row) {
    model::Row put;
    put.deletion = {now_us_ - 1, now_s_};
    put.liveness = row.liveness;
    put.liveness->timestamp = now_us_;
    put.cells = std::move(row.cells);
    for (model::Cell& cell : put.cells) cell.timestamp = now_us_;
    Add(view, std::move(row), put);
  }
  void Remove(const Table& view, ViewRow row) {
    model::Row removed;
    removed.deletion = {now_us_, now_s_};
    Add(view, std::move(row), removed);
  }

  std::vector<item::DerivedWrite> Take() && { return std::move(derived_writes_); }

 private:
  void Add(const Table& view, ViewRow row, const model::Row& change) {
    const ContainerId container = view.container->id;
    const auto [place, added] =
        places_.try_emplace({container, row.partition_key}, derived_writes_.size());
    if (added) derived_writes_.push_back({container, std::move(row.partition_key), {}});
    item::RowChange& made = derived_writes_[place->second].changes.rows.emplace_back();
    made.clustering = std::move(row.clustering);
    model::EncodeRow(made.row, change);
  }

  const int64_t now_us_;
  const uint32_t now_s_;
  std::vector<item::DerivedWrite> derived_writes_;
  std::map<std::pair<ContainerId, std::string>, size_t> places_;
};

// The partition's own row, of a clustered table, is in no view.
bool IsRow(const Table& base, const item::TouchedRow& row) {
  return base.clustering_count == 0 || !row.clustering.empty();
}

CqlResult<std::optional<ViewRow>> Project(const ViewProjection& view, const BaseKey& key,
                                          const model::Row* row) {
  if (row == nullptr) return std::optional<ViewRow>();
  return view.Project(key, *row);
}

}  // namespace

CqlResult<std::vector<item::DerivedWrite>> DerivedWritesOf(const BaseViews& views,
                                                           std::string_view partition_key,
                                                           std::span<const item::TouchedRow> rows,
                                                           Micros now) {
  if (views.error.has_value()) return std::unexpected(*views.error);
  CQL_ASSIGN(KeyParts keys, KeyParts::Make(*views.base, partition_key));
  Gatherer gathered(now);
  for (const item::TouchedRow& row : rows) {
    if (!IsRow(*views.base, row) || (row.before == nullptr && row.after == nullptr)) continue;
    CQL_ASSIGN(const BaseKey key, keys.Of(row.clustering));
    for (const ViewProjection& view : views.views) {
      CQL_ASSIGN(std::optional<ViewRow> before, Project(view, key, row.before));
      CQL_ASSIGN(std::optional<ViewRow> after, Project(view, key, row.after));
      if (before == after) continue;
      const bool moved = before.has_value() && after.has_value() && !before->SameKey(*after);
      if (before.has_value() && (moved || !after.has_value()))
        gathered.Remove(view.view(), *std::move(before));
      if (after.has_value()) gathered.Put(view.view(), *std::move(after));
    }
  }
  return std::move(gathered).Take();
}

CqlResult<std::vector<item::DerivedWrite>> DerivedWritesToFill(
    const ViewProjection& view, std::string_view partition_key,
    std::span<const item::TouchedRow> rows, Micros now) {
  CQL_ASSIGN(KeyParts keys, KeyParts::Make(view.base(), partition_key));
  Gatherer gathered(now);
  for (const item::TouchedRow& row : rows) {
    if (!IsRow(view.base(), row) || row.after == nullptr) continue;
    CQL_ASSIGN(const BaseKey key, keys.Of(row.clustering));
    CQL_ASSIGN(std::optional<ViewRow> filled, view.Project(key, *row.after));
    if (filled.has_value()) gathered.Put(view.view(), *std::move(filled));
  }
  return std::move(gathered).Take();
}

}  // namespace orrery::cassandra
