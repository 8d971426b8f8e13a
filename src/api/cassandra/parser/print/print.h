// From the tree back to CQL text, in one canonical form: for schemas, which keep types, a view's
// WHERE clause and an aggregate's initial condition as text, and for DESCRIBE.
//
// Printed text parses to the same tree, except that all markers print as they were written and are
// numbered anew. Pure; recursion is bounded by the parser's limits on the tree.
#pragma once

#include <string>
#include <string_view>

#include "api/cassandra/parser/ast/restriction.h"
#include "api/cassandra/parser/ast/term.h"
#include "api/cassandra/parser/ast/type.h"

namespace orrery::cassandra {

// Quoted only when it must be: not lower case, odd characters, or a reserved word.
std::string PrintName(std::string_view name);
std::string PrintQualifiedName(const ast::QualifiedName& name);

// 'it''s'
std::string PrintString(std::string_view text);

// frozen<map<text, vector<float, 3>>>
std::string PrintType(const ast::RawType& type);

std::string PrintTerm(const ast::Term& term);

std::string PrintRelation(const ast::Relation& relation);

// a = 1 AND token(b, c) > 5 AND d IN (1, 2)
std::string PrintWhere(const ast::WhereClause& where);

}  // namespace orrery::cassandra
