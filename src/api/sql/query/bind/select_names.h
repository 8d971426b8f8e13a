// Names the values of a SELECT list in its rows.
//
// An alias, the name of an alias or of a property; anything else is $1, $2 and so on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/sql/parser/ast/query.h"
#include "api/sql/parser/query_error.h"

namespace orrery::sql {

// One for each item. An error when two are called the same. `text` is the query's.
Parsed<std::vector<std::string>> SelectNames(const ast::SelectList& list, std::string_view text);

// The name that a source of FROM or JOIN has without an alias of its own; empty for none.
std::string_view ImpliedAlias(const ast::Expression& collection);

}  // namespace orrery::sql
