// From the text of a query to a tree: the entry point of this folder.
//
// The language is that of Azure Cosmos DB for NoSQL, with what query plans add to it in rewritten
// queries. Nothing is looked up: a tree says what was written, not whether it makes sense. Pure and
// thread-safe; the tree owns all it needs and outlives the text.
//
// More than Cosmos DB takes: keywords as names of properties after a dot and of results after AS,
// TOP before DISTINCT, any value to iterate over after IN in FROM and JOIN.
#pragma once

#include <string_view>

#include "api/sql/parser/ast/query.h"
#include "api/sql/parser/limits.h"
#include "api/sql/parser/query_error.h"

namespace orrery::sql {

// One query; nothing but blanks and comments may follow it.
Parsed<ast::Query> ParseQuery(std::string_view text, const ParserLimits& limits = {});

// Parses an expression that is kept or sent by itself: a plan's sort keys.
Parsed<ast::Expression> ParseExpression(std::string_view text, const ParserLimits& limits = {});

}  // namespace orrery::sql
