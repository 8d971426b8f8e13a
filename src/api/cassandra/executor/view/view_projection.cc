#include "api/cassandra/executor/view/view_projection.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "gateway/row/row_token.h"

namespace orrery::cassandra {
namespace {

// The lifetime of a cell or a row; a ttl of 0: for ever.
struct Life {
  uint32_t ttl_s = 0;
  uint32_t expiry_s = 0;

  bool EndsBefore(const Life& other) const {
    return ttl_s != 0 && (other.ttl_s == 0 || expiry_s < other.expiry_s);
  }
};

Life Longer(const Life& a, const Life& b) { return a.EndsBefore(b) ? b : a; }
Life Shorter(const Life& a, const Life& b) { return a.EndsBefore(b) ? a : b; }

}  // namespace

CqlResult<ViewProjection> ViewProjection::Make(TablePtr base, TablePtr view, const TermScope& scope,
                                               const Evaluation& evaluation) {
  CQL_ASSIGN(ViewFilter filter,
             ViewFilter::Make(*base, view->view->where_clause, scope, evaluation));
  ViewProjection projection(std::move(base), std::move(view), std::move(filter));
  CQL_TRY(projection.FindSources());
  return projection;
}

CqlStatus ViewProjection::FindSources() {
  for (const Column& column : base_->columns) {
    if (!column.is_key() && !column.is_static())
      sources_.push_back({.base = &column, .required = false, .view_id = std::nullopt});
  }
  std::ranges::sort(sources_, {}, &Source::base_id);
  const auto source_of = [this](const Column& base_column) -> Source& {
    return *std::ranges::find(sources_, &base_column, &Source::base);
  };
  for (const Column& column : view_->columns) {
    const Column* const origin = base_->Find(column.name);
    if (origin == nullptr || origin->is_static() || (origin->is_key() && !column.is_key())) {
      return Invalid(
          fmt::format("Materialized view {}.{} does not fit its base table {}: column {}",
                      view_->keyspace, view_->name, base_->name, column.name));
    }
    if (!column.is_key()) {
      source_of(*origin).view_id = column.id;
      continue;
    }
    key_.push_back({&column, static_cast<size_t>(origin - base_->columns.data())});
    if (!origin->is_key()) source_of(*origin).required = true;
  }
  for (const std::string& name : filter_.not_null()) {
    const Column* const column = base_->Find(name);
    if (column != nullptr && !column->is_key() && !column->is_static())
      source_of(*column).required = true;
  }
  required_count_ = static_cast<size_t>(std::ranges::count(sources_, true, &Source::required));
  return {};
}

const ViewProjection::Source* ViewProjection::FindSource(model::ColumnId base_id) const {
  const auto found = std::ranges::lower_bound(sources_, base_id, {}, &Source::base_id);
  return found != sources_.end() && found->base_id() == base_id ? &*found : nullptr;
}

// One row on its way into the view.
class ViewProjection::Run {
 public:
  explicit Run(const ViewProjection& projection)
      : projection_(projection), values_(projection.base_->columns.size()) {}

  // Returns whether the base row exists and has all that is required.
  bool Take(const BaseKey& key, const model::Row& row) {
    std::ranges::copy(key.values, values_.begin());
    if (row.liveness.has_value()) Keep({row.liveness->ttl_s, row.liveness->expiry_s});
    // Cells of a column come one after the other.
    for (auto cell = row.cells.begin(); cell != row.cells.end();) {
      const auto end = std::find_if(cell, row.cells.end(), [&](const model::Cell& other) {
        return other.column != cell->column;
      });
      TakeColumn({cell, end});
      cell = end;
    }
    return alive_.has_value() && required_found_ == projection_.required_count_;
  }

  CqlResult<std::optional<ViewRow>> Make() && {
    const Table& view = *projection_.view_;
    ViewRow made;
    std::vector<std::string_view> components;
    for (size_t i = 0; i < projection_.key_.size(); ++i) {
      const KeyPart& part = projection_.key_[i];
      // A row of COMPACT STORAGE with a part of its key only.
      if (!values_[part.base_place].has_value()) return std::optional<ViewRow>();
      const std::string_view value = *values_[part.base_place];
      if (i < view.partition_key_count) {
        components.push_back(value);
      } else {
        CQL_TRY(AppendClustering(made.clustering, *part.column, value));
      }
    }
    if (components.size() == 1) {
      // No table can have a partition with an empty key.
      if (components.front().empty()) return std::optional<ViewRow>();
      made.partition_key = components.front();
    } else {
      CQL_ASSIGN(made.partition_key, gateway::JoinKeyComponents(components));
    }
    const Life life = required_life_.value_or(*alive_);
    made.liveness = {0, life.ttl_s, life.expiry_s};
    for (model::Cell& cell : cells_) {
      const Life own = Shorter({cell.ttl_s, cell.expiry_s}, life);
      cell.timestamp = 0;
      cell.ttl_s = own.ttl_s;
      cell.expiry_s = own.expiry_s;
    }
    std::ranges::sort(cells_, [](const model::Cell& a, const model::Cell& b) {
      return std::tie(a.column, a.path) < std::tie(b.column, b.path);
    });
    made.cells = std::move(cells_);
    return made;
  }

 private:
  void Keep(const Life& life) { alive_ = alive_.has_value() ? Longer(*alive_, life) : life; }

  void TakeColumn(std::span<const model::Cell> cells) {
    // Neither a dropped column nor what a returned one hides keeps its row alive.
    const Source* const source = projection_.FindSource(cells.front().column);
    if (source == nullptr) return;
    std::optional<Life> life;
    std::string_view value;
    for (const model::Cell& cell : cells) {
      if (source->base->Hides(cell)) continue;
      const Life own{cell.ttl_s, cell.expiry_s};
      life = life.has_value() ? Longer(*life, own) : own;
      value = cell.value;
      if (!source->view_id.has_value()) continue;
      cells_.push_back(cell);
      cells_.back().column = *source->view_id;
    }
    if (!life.has_value()) return;
    Keep(*life);
    if (!source->required) return;
    ++required_found_;
    required_life_ = required_life_.has_value() ? Shorter(*required_life_, *life) : *life;
    values_[static_cast<size_t>(source->base - projection_.base_->columns.data())] = value;
  }

  const ViewProjection& projection_;
  std::vector<std::optional<std::string_view>> values_;  // of columns in the key, by base place
  std::vector<model::Cell> cells_;
  std::optional<Life> alive_;  // of the base row
  std::optional<Life> required_life_;
  size_t required_found_ = 0;
};

CqlResult<std::optional<ViewRow>> ViewProjection::Project(const BaseKey& key,
                                                          const model::Row& row) const {
  if (!filter_.Passes(key)) return std::optional<ViewRow>();
  Run run(*this);
  if (!run.Take(key, row)) return std::optional<ViewRow>();
  return std::move(run).Make();
}

}  // namespace orrery::cassandra
