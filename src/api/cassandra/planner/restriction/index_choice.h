// Which index serves which restriction. Indexes answer equality only: of a column's value, of an
// element or key or entry of a collection. One that is not built yet serves nothing. Pure.
#pragma once

#include <optional>
#include <string>

#include "api/cassandra/planner/restriction/column_restriction.h"
#include "api/cassandra/schema/table.h"
#include "gateway/row/row_requests.h"

namespace orrery::cassandra {

// Longer values are in no index.
inline constexpr size_t kIndexValueBytesMax = 65'535;

struct IndexChoice {
  const Index* index = nullptr;
  const ColumnRestriction* restriction = nullptr;
  size_t component = 0;  // which column of a tuple, or which of several CONTAINS
};

// The first index that serves part of the restriction. Both must outlive the choice.
std::optional<IndexChoice> ChooseIndex(const Table& table, const ColumnRestriction& restriction);

// What to look for in it. Refuses null and unset.
CqlResult<item::RowScanRequest::Index> BindIndex(const IndexChoice& choice,
                                                 const Evaluation& evaluation);

}  // namespace orrery::cassandra
