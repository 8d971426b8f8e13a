// Finds the paths of documents that a query looks at, and of each conjunct of its WHERE clause
// (query/predicate/conditions.h, Reads). Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/sql/parser/ast/query.h"
#include "api/sql/query/condition/condition_context.h"
#include "api/sql/query/condition/document_paths.h"
#include "query/predicate/conditions.h"

namespace orrery::sql {

struct FoundReads {
  query::Reads reads;
  // For each of Reads::conjuncts. They are the query's own: good while it lives.
  std::vector<const ast::Expression*> conjuncts;
  std::string alias;  // what the query calls a document
};

// Returns nullopt if the rows of the query that reads the container are anything but its documents.
std::optional<FoundReads> ReadsOf(const ast::Query& query, const ConditionContext& context);

// Returns whether rows of the query are documents of the container, one by one, under a name.
bool ReadsPlainly(const ast::Query& query);
// Adds the paths that the expression looks at. False if it looks at more than stored values: at
// what is computed, or by a subquery or a user-defined function.
bool AddPathsRead(const ast::Expression& expression, const AliasPaths& aliases,
                  const ConditionContext& context, std::vector<query::DocumentPath>& paths);

}  // namespace orrery::sql
