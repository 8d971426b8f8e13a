// Checks the WHERE clause of a materialized view.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "api/cassandra/parser/ast/restriction.h"
#include "api/cassandra/protocol/cql_result.h"
#include "api/cassandra/schema/table.h"
#include "base/clock.h"

namespace orrery::cassandra {

// Every column of the view's key (`key`) must be restricted, if only by IS NOT NULL, and columns
// that are not in the base's key by nothing else. Values must be literals of their column's type.
CqlStatus CheckViewWhere(const Table& base, std::string_view view,
                         const std::set<std::string, std::less<>>& key,
                         const ast::WhereClause& where, Micros now);

}  // namespace orrery::cassandra
