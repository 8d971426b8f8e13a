// Queries as clients send them to each partition when they merge the rows themselves.
//
//   ORDER BY    SELECT c._rid, [{"item": c.x}] AS orderByItems, .. AS payload FROM c
//               WHERE (.. AND ({documentdb-formattableorderbyquery-filter})) ORDER BY c.x
//               and of SELECT VALUE v, AND IS_DEFINED(v): no row has an undefined payload
//   aggregates  SELECT VALUE [{"item": COUNT(1)}] FROM c
//   GROUP BY    SELECT [{"item": c.k}] AS groupByItems, {"n": {"item": COUNT(1)}} AS payload ..
//   OFFSET      OFFSET 0 LIMIT (offset + limit): the client leaves rows out after it has merged
//
// A part of an aggregate's value is written as clients merge it: AVG as {"sum", "count"}, MIN and
// MAX with "item2" {"min" or "max", "count"}.
//
// Pure. Trees are changed in place, as they cannot be copied.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/sql/function/aggregate/accumulator.h"
#include "api/sql/parser/ast/query.h"

namespace orrery::sql {

// A GroupedItem says how a value of SELECT is made of a group of rows.
struct GroupedItem {
  std::string name;                    // empty for SELECT VALUE
  std::optional<Aggregate> aggregate;  // none: it is the same for all rows of the group
};

// Rewrites SELECT and WHERE. False when no single alias means the container's documents, or SELECT
// * has none to name.
bool RewriteOrderBy(ast::Query& query);

// Rewrites SELECT. Nothing when a value is made of several aggregates, or of one and something
// else. `names`: of a SELECT list.
std::optional<std::vector<GroupedItem>> RewriteGroups(ast::Query& query,
                                                      const std::vector<std::string>& names);

// The name of the documents themselves; nothing when no single alias means them.
std::optional<std::string> DocumentAlias(const ast::Query& query);

// Adds to WHERE that the value of SELECT VALUE is defined: a row whose value is undefined is none,
// but one with an undefined payload would be.
void RequireDefinedValue(ast::Query& query);

// Takes the row of SELECT out of the query, as one value. REQUIRES: DocumentAlias.
ast::Expression TakePayload(ast::Query& query);

// A count of distinct rows: SELECT COUNT(1) [AS n] FROM (SELECT DISTINCT ..).
struct DistinctCount {
  std::string alias;    // of the count; empty for SELECT VALUE
  ast::QueryPtr query;  // whose rows are counted
};
// Nothing when the query is none. Takes the inner one out of it.
std::optional<DistinctCount> TakeDistinctCounted(ast::Query& query, std::string_view text);

// The text, with the placeholder in parentheses: what takes its place may be anything.
std::string PrintRewritten(const ast::Query& query);

}  // namespace orrery::sql
