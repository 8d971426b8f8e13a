// The WHERE clause of a materialized view, to be asked of base rows.
//
// Apart from IS NOT NULL it speaks of the base's key columns only (schema/ddl/view_where.h), so
// whether a row passes never changes while the row lives. IS NOT NULL is not asked here: not_null()
// says of which columns it is wanted.
//
// Immutable and thread-safe.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/planner/restriction/restrictions.h"

namespace orrery::cassandra {

// The key of a base row.
struct BaseKey {
  std::string_view partition_key;  // serialized
  std::string_view clustering;     // encoded; empty without clustering columns
  // One for each key column, in the order of Table::columns.
  std::span<const std::string> values;
};

class ViewFilter {
 public:
  // Refuses what SELECT ... ALLOW FILTERING would. `evaluation` is for functions of constants.
  static CqlResult<ViewFilter> Make(const Table& base, std::string_view where_clause,
                                    const TermScope& scope, const Evaluation& evaluation);

  bool Passes(const BaseKey& key) const;
  // Names of base columns.
  const std::vector<std::string>& not_null() const { return not_null_; }

 private:
  ViewFilter(std::shared_ptr<const Table> base, BoundKeys keys, RowFilter tests,
             std::vector<std::string> not_null)
      : base_(std::move(base)),
        keys_(std::move(keys)),
        tests_(std::move(tests)),
        not_null_(std::move(not_null)) {}

  std::shared_ptr<const Table> base_;  // as it is without indexes; tests_ look at it
  BoundKeys keys_;
  RowFilter tests_;
  std::vector<std::string> not_null_;
};

}  // namespace orrery::cassandra
