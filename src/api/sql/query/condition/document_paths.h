// The paths of documents that expressions of a query stand for: fields below its aliases. Pure.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "api/sql/parser/ast/query.h"
#include "query/predicate/document_path.h"

namespace orrery::sql {

// The paths of the container's documents that the aliases of a query stand for.
using AliasPaths = std::map<std::string, query::DocumentPath, std::less<>>;

// Returns nullopt if the expression is anything but fields below one of the aliases.
std::optional<query::DocumentPath> PathOf(const ast::Expression& expression,
                                          const AliasPaths& aliases);

// Returns the query that reads the container: the given one, or the one in its FROM, and so on
// down. Null if none does.
const ast::Query* ReaderOf(const ast::Query& query);
// The aliases of the query that reads the container.
AliasPaths AliasPathsOf(const ast::Query& reader);
// Adds those of further sources, each of which may look into the ones before it.
void AddSourcePaths(const ast::Query& query, size_t first, AliasPaths& aliases);

}  // namespace orrery::sql
