// From CQL text to a tree: the entry point of this folder.
//
// The grammar is that of Cassandra 4.1, with vectors, ORDER BY .. ANN OF and MAXWRITETIME of 5.0.
// Nothing is looked up: a tree says what was written, not whether it makes sense. Pure and
// thread-safe; the tree owns all it needs and outlives the text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/parser/ast/statement.h"
#include "api/cassandra/parser/limits.h"
#include "api/cassandra/parser/syntax_error.h"

namespace orrery::cassandra {

struct ParsedStatement {
  ast::Statement statement;
  // The name of each bind marker by its number; empty for "?".
  std::vector<std::string> markers;
};

// One statement, with any number of semicolons after it.
Parsed<ParsedStatement> ParseStatement(std::string_view text, const ParserLimits& limits = {});

// Parse what schemas keep as text: a column's type, an aggregate's initial condition, a view's
// restrictions (without the WHERE; empty text is none).
Parsed<ast::RawType> ParseType(std::string_view text, const ParserLimits& limits = {});
Parsed<ast::Term> ParseTerm(std::string_view text, const ParserLimits& limits = {});
Parsed<ast::WhereClause> ParseWhere(std::string_view text, const ParserLimits& limits = {});

// A thing to select, as after SELECT.
Parsed<ast::Term> ParseSelection(std::string_view text, const ParserLimits& limits = {});

}  // namespace orrery::cassandra
