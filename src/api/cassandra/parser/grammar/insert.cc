#include "api/cassandra/parser/grammar/names.h"
#include "api/cassandra/parser/grammar/statements.h"
#include "api/cassandra/parser/grammar/terms.h"

namespace orrery::cassandra::grammar {
namespace {

ast::InsertJson ParseInsertJson(TokenStream& stream, ast::QualifiedName table) {
  ast::InsertJson insert{.table = std::move(table), .json = {}, .attributes = {}};
  insert.json = ParseStringOrMarker(stream);
  if (stream.Accept(Keyword::kDefault)) {
    insert.default_unset = stream.Accept(Keyword::kUnset);
    if (!insert.default_unset) stream.Expect(Keyword::kNull);
  }
  insert.if_not_exists = AcceptIfNotExists(stream);
  insert.attributes = ParseUsing(stream);
  return insert;
}

}  // namespace

ast::Batch::Part ParseInsert(TokenStream& stream) {
  stream.Expect(Keyword::kInsert);
  stream.Expect(Keyword::kInto);
  ast::QualifiedName table = ParseQualifiedName(stream, "table");
  if (stream.Accept(Keyword::kJson)) return ParseInsertJson(stream, std::move(table));

  ast::Insert insert{.table = std::move(table),
                     .columns = ParseColumnNames(stream),
                     .values = {},
                     .attributes = {}};
  stream.Expect(Keyword::kValues);
  stream.Expect(Symbol::kLeftParen);
  if (stream.At(Symbol::kRightParen)) stream.FailNoViable();
  insert.values = ParseTermsUntil(stream, Symbol::kRightParen, TermPlace::kValue);
  insert.if_not_exists = AcceptIfNotExists(stream);
  insert.attributes = ParseUsing(stream);
  return insert;
}

ast::UsingClause ParseUsing(TokenStream& stream) {
  ast::UsingClause clause;
  if (!stream.Accept(Keyword::kUsing)) return clause;
  do {
    if (stream.Accept(Keyword::kTimestamp)) {
      clause.timestamp = ParseIntegerOrMarker(stream);
    } else if (stream.Accept(Keyword::kTtl)) {
      clause.ttl = ParseIntegerOrMarker(stream);
    } else {
      stream.FailNoViable();
    }
  } while (stream.Accept(Keyword::kAnd));
  return clause;
}

}  // namespace orrery::cassandra::grammar
