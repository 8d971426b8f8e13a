// A ViewProjection computes the row of a view from a base row: a pure function of the row.
//
// A row is in the view when the base row is there, every column of the view's key and every column
// that must not be null has a value, and the filter passes it. It lives as long as the base row
// does, but no longer than the first of those columns, and neither do its cells. Cells that a
// column hides (Column::Hides) are not there for any of this.
//
// Immutable and thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/executor/view/view_filter.h"
#include "model/row/row.h"

namespace orrery::cassandra {

// A row of a view without times: those are of the change that puts it there.
struct ViewRow {
  std::string partition_key;  // serialized
  std::string clustering;     // encoded
  model::Liveness liveness;
  std::vector<model::Cell> cells;  // by column, then path; views into the base row

  bool SameKey(const ViewRow& other) const {
    return partition_key == other.partition_key && clustering == other.clustering;
  }
  friend bool operator==(const ViewRow&, const ViewRow&) = default;
};

class ViewProjection {
 public:
  // Refuses a view that does not fit its base. `scope` and `evaluation` as in ViewFilter::Make.
  static CqlResult<ViewProjection> Make(TablePtr base, TablePtr view, const TermScope& scope,
                                        const Evaluation& evaluation);

  const Table& base() const { return *base_; }
  const Table& view() const { return *view_; }

  // Nothing when the row is not in the view. `row` has visible parts only. Refuses values that are
  // too large for a key.
  CqlResult<std::optional<ViewRow>> Project(const BaseKey& key, const model::Row& row) const;

 private:
  // A column of the base that has cells.
  struct Source {
    const Column* base = nullptr;
    bool required = false;
    std::optional<model::ColumnId> view_id;  // of a column that is not in the view's key

    model::ColumnId base_id() const { return base->id; }
  };
  // The origin of a column of the view's key.
  struct KeyPart {
    const Column* column = nullptr;  // of the view
    size_t base_place = 0;           // in Table::columns
  };
  class Run;

  ViewProjection(TablePtr base, TablePtr view, ViewFilter filter)
      : base_(std::move(base)), view_(std::move(view)), filter_(std::move(filter)) {}
  CqlStatus FindSources();
  const Source* FindSource(model::ColumnId base_id) const;

  TablePtr base_;
  TablePtr view_;
  ViewFilter filter_;
  std::vector<KeyPart> key_;     // partition key, then clustering
  std::vector<Source> sources_;  // by their columns' ids
  size_t required_count_ = 0;
};

}  // namespace orrery::cassandra
