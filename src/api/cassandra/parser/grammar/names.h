// Rules for names: which tokens may be one, and what it then is.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "api/cassandra/parser/ast/name.h"
#include "api/cassandra/parser/grammar/token_stream.h"

namespace orrery::cassandra::grammar {

// Returns whether the token may name a column, field, table, keyspace, alias or property: an
// identifier, a quoted name or any keyword that is not reserved.
bool AtName(const TokenStream& stream, size_t ahead = 0);
ast::Name ParseName(TokenStream& stream);

// A column of an existing table, which may have the name "".
bool AtColumnName(const TokenStream& stream, size_t ahead = 0);
ast::Name ParseColumnName(TokenStream& stream);
// "(" a, b, ... ")"
std::vector<ast::Name> ParseColumnNames(TokenStream& stream);

ast::Name ParseKeyspaceName(TokenStream& stream);
// [keyspace "."] name; `what` ("table") is for the error when a marker stands there.
ast::QualifiedName ParseQualifiedName(TokenStream& stream, std::string_view what);

// Names of types that CQL keeps for itself: a user-defined type has one only in quotes.
bool IsReservedTypeName(std::string_view name);

// The name of a user-defined type must not look like a native type's.
bool AtUserTypeName(const TokenStream& stream, size_t ahead = 0);
ast::QualifiedName ParseUserTypeName(TokenStream& stream);

ast::Name ParseFunctionNameAlone(TokenStream& stream);
ast::QualifiedName ParseFunctionName(TokenStream& stream);
// [keyspace "."] function "("
bool AtFunctionCall(const TokenStream& stream, size_t ahead = 0);

// A role may also be named by a string.
bool AtRoleName(const TokenStream& stream, size_t ahead = 0);
ast::Name ParseRoleName(TokenStream& stream);

// a TO b (AND c TO d)*
std::vector<std::pair<ast::Name, ast::Name>> ParseRenames(TokenStream& stream);

// IF NOT EXISTS, IF EXISTS: whether they are there.
bool AcceptIfNotExists(TokenStream& stream);
bool AcceptIfExists(TokenStream& stream);

}  // namespace orrery::cassandra::grammar
