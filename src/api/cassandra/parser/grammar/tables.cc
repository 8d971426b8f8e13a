#include "api/cassandra/parser/grammar/names.h"
#include "api/cassandra/parser/grammar/properties.h"
#include "api/cassandra/parser/grammar/statements.h"
#include "api/cassandra/parser/grammar/types.h"

namespace orrery::cassandra::grammar {
namespace {

ast::ColumnDefinition ParseColumnDefinition(TokenStream& stream) {
  ast::ColumnDefinition column{.name = ParseName(stream), .type = {}};
  column.type = ParseType(stream);
  column.is_static = stream.Accept(Keyword::kStatic);
  if (stream.Accept(Keyword::kPrimary)) {
    stream.Expect(Keyword::kKey);
    column.is_primary_key = true;
  }
  return column;
}

// Commas may be doubled and trail.
void ParseTableElements(TokenStream& stream, ast::CreateTable& create) {
  stream.Expect(Symbol::kLeftParen);
  do {
    const bool is_first = create.columns.empty() && create.primary_keys.empty();
    if (stream.At(Keyword::kPrimary)) {
      create.primary_keys.push_back(ParsePrimaryKey(stream));
    } else if (is_first || AtName(stream)) {
      create.columns.push_back(ParseColumnDefinition(stream));
    }
  } while (stream.Accept(Symbol::kComma));
  stream.Expect(Symbol::kRightParen);
}

void ParseTableOptions(TokenStream& stream, ast::CreateTable& create) {
  PropertyList properties;
  do {
    if (stream.Accept(Keyword::kCompact, Keyword::kStorage)) {
      create.compact_storage = true;
    } else if (stream.At(Keyword::kClustering) && stream.At(Keyword::kOrder, 1)) {
      stream.Skip();
      create.clustering_order = ParseClusteringOrder(stream);
    } else {
      properties.ParseOne(stream);
    }
  } while (stream.Accept(Keyword::kAnd));
  create.properties = properties.Take();
}

}  // namespace

ast::CreateTable ParseCreateTable(TokenStream& stream) {
  stream.Expect(Keyword::kTable);
  ast::CreateTable create;
  create.if_not_exists = AcceptIfNotExists(stream);
  create.table = ParseQualifiedName(stream, "table");
  ParseTableElements(stream, create);
  if (stream.Accept(Keyword::kWith)) ParseTableOptions(stream, create);
  return create;
}

}  // namespace orrery::cassandra::grammar
