// The conjuncts of a WHERE clause: the conditions of which all must hold for it to hold.
#pragma once

#include <functional>

#include "api/sql/parser/ast/query.h"

namespace orrery::sql {

// Of the query's WHERE, which joins them by AND; none when it has no WHERE.
void ForEachCondition(const ast::Query& query,
                      const std::function<void(const ast::Expression&)>& visit);

}  // namespace orrery::sql
