// A RowGroup gathers the rows that make one result row of a query with GROUP BY or aggregates: the
// values of its first row, and what the aggregates have seen.
//
// Lives for one execution, on one thread. The plan must outlive it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/cassandra/planner/select/select_plan.h"
#include "api/cassandra/planner/term/row_values.h"

namespace orrery::cassandra {

class RowGroup {
 public:
  explicit RowGroup(const SelectPlan& plan);

  // Returns the key that the rows of a group share. `evaluation.row` is the row.
  CqlResult<std::string> KeyOf(std::string_view partition_key, const Evaluation& evaluation) const;

  bool is_open() const { return is_open_; }
  const std::string& key() const { return key_; }

  // Begins a group without rows.
  void Open(std::string key);
  // Adds a row. REQUIRES: is_open(), and evaluation.row is of the group.
  CqlStatus Add(const Evaluation& evaluation);

  struct Result {
    const RowValues& row;  // the first; all null when there was none
    std::span<const TermValue> aggregates;
  };
  // Good until the next Open. REQUIRES: is_open(), which it ends.
  CqlResult<Result> Close();

 private:
  void KeepRow(const RowValues& row);

  const SelectPlan& plan_;
  bool is_open_ = false;
  bool has_row_ = false;
  std::string key_;
  RowValues row_;                  // views of kept_
  std::vector<std::string> kept_;  // by place
  std::vector<std::vector<std::string>> kept_paths_;
  std::vector<std::unique_ptr<Accumulator>> accumulators_;
  std::vector<TermValue> results_;
};

}  // namespace orrery::cassandra
