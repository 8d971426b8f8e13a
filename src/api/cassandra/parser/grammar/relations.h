// Rules for what is compared with what: WHERE and IF clauses.
#pragma once

#include "api/cassandra/parser/ast/modification.h"
#include "api/cassandra/parser/ast/restriction.h"
#include "api/cassandra/parser/grammar/token_stream.h"

namespace orrery::cassandra::grammar {

// The restrictions, without the WHERE.
ast::WhereClause ParseWhere(TokenStream& stream);

// [IF EXISTS | IF condition (AND condition)*]
ast::IfClause ParseIf(TokenStream& stream);

// Parses what may follow a column's name: nothing, "[" element "]" or "." field.
ast::ColumnPart ParseColumnPart(TokenStream& stream);

}  // namespace orrery::cassandra::grammar
