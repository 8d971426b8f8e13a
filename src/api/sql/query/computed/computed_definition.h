// The definition of a computed property: SELECT VALUE <expression> FROM <alias>, and nothing else.
//
// The expression is a function of one document: no parameters, aggregates, subqueries, functions of
// users, spatial functions, nor any that give another value the next time.
//
// Pure and thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "api/sql/function/function_registry.h"
#include "api/sql/parser/ast/query.h"
#include "api/sql/parser/query_error.h"
#include "base/status.h"
#include "model/value.h"

namespace orrery::sql {

inline constexpr size_t kComputedPropertiesMax = 20;
// Our own codes: Cosmos DB has published none.
inline constexpr std::string_view kComputedDefinitionCode = "SC2910";

struct ComputedDefinition {
  std::string alias;  // what the expression calls the document
  ast::Expression value;
};

// Refuses what has another form or names a function that may not stand there. That names and calls
// are right is known when it is bound.
Parsed<ComputedDefinition> ParseComputedDefinition(std::string_view text,
                                                   const FunctionRegistry& functions);

// Checks all of a container's `computedProperties`: their names, their definitions, and that none
// of them uses another. kInvalidArgument says which is wrong, and where in its text.
Status CheckComputedProperties(const model::Value& json, const FunctionRegistry& functions);

}  // namespace orrery::sql
