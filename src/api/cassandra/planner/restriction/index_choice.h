// Chooses which index serves which restriction. Indexes are looked up by equality only: of a
// column's value, of an element or key or entry of a collection. What else an index supports
// (schema/sasi_index.h) is tested row by row. One that is not built yet serves nothing. Pure.
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

// Returns whether an index supports the restriction, so that a statement may ask for it without
// ALLOW FILTERING; ChooseIndex may have none to look up all the same.
bool HasSupportingIndex(const Table& table, const ColumnRestriction& restriction);

// The SASI index that supports LIKE on the column; nothing when there is none that is built.
std::optional<SasiIndex> FindSasi(const Table& table, const Column& column);

// Returns the entries to look up in it; nullopt if it cannot be looked up for the bound values.
// Refuses null and unset.
CqlResult<std::optional<item::RowScanRequest::Index>> BindIndex(const IndexChoice& choice,
                                                                const Evaluation& evaluation);

}  // namespace orrery::cassandra
