// Rules for what stands after WITH.
#pragma once

#include <unordered_set>

#include "api/cassandra/parser/ast/property.h"
#include "api/cassandra/parser/ast/table.h"
#include "api/cassandra/parser/grammar/token_stream.h"

namespace orrery::cassandra::grammar {

// Collects properties and fails the stream when one is given twice.
class PropertyList {
 public:
  void ParseOne(TokenStream& stream);
  ast::Properties Take() { return std::move(properties_); }

 private:
  ast::Properties properties_;
  std::unordered_set<std::string> names_;
};

// property (AND property)*
ast::Properties ParseProperties(TokenStream& stream);
// WITH and the same; nothing when there is no WITH.
ast::Properties ParseOptionalProperties(TokenStream& stream);

// "{" [key ":" value ("," key ":" value)*] "}", literals only.
ast::Property::Map ParsePropertyMap(TokenStream& stream);

// Parses what follows CLUSTERING: ORDER BY "(" column (ASC | DESC) ("," ...)* ")"
std::vector<ast::ClusteringOrder> ParseClusteringOrder(TokenStream& stream);

// PRIMARY KEY "(" ("(" a "," ... ")" | a) ("," b)* ")"
ast::PrimaryKey ParsePrimaryKey(TokenStream& stream);

}  // namespace orrery::cassandra::grammar
