// Finds those conditions of a WHERE clause that the owner of a partition can evaluate
// (model/expression/expression.h), so that documents that do not meet them are neither decoded as a
// whole nor sent. Pure.
//
// Comparisons, AND, OR, NOT, IN, BETWEEN, LIKE with a plain pattern, and simple functions of
// properties that are stored and of constants fit. They are evaluated there exactly as they would
// be here: filter_finder_test.cc compares both at random.
#pragma once

#include <memory>
#include <optional>

#include "api/sql/parser/ast/query.h"
#include "api/sql/query/condition/condition_context.h"
#include "api/sql/query/condition/document_paths.h"
#include "model/expression/expression.h"
#include "model/path/path.h"

namespace orrery::sql {

struct FoundFilter {
  std::shared_ptr<const model::Expression> filter;  // null: nothing fits
  bool is_whole = false;                            // it is the whole WHERE clause
};

// REQUIRES: the query reads the container (ReaderOf).
FoundFilter FilterOf(const ast::Query& reader, const ConditionContext& context);

// Returns the expression as owners can evaluate it, with the same value on every document; nullopt
// if it does not fit. `aliases`: those of the query that reads the container.
std::optional<model::Expression> OwnerExpressionOf(const ast::Expression& expression,
                                                   const AliasPaths& aliases,
                                                   const ConditionContext& context);
// Returns the path if it leads through objects to something that is stored as it is seen.
std::optional<model::Path> StoredPathOf(const query::DocumentPath& path,
                                        const ConditionContext& context);

}  // namespace orrery::sql
