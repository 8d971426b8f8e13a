#include "api/cassandra/parser/grammar/names.h"
#include "api/cassandra/parser/grammar/relations.h"
#include "api/cassandra/parser/grammar/statements.h"
#include "api/cassandra/parser/grammar/terms.h"

namespace orrery::cassandra::grammar {

ast::Delete ParseDelete(TokenStream& stream) {
  ast::Delete statement;
  stream.Expect(Keyword::kDelete);
  if (!stream.At(Keyword::kFrom)) {
    do {
      ast::Deletion deletion{.column = ParseColumnName(stream), .part = {}};
      deletion.part = ParseColumnPart(stream);
      statement.deletions.push_back(std::move(deletion));
    } while (stream.Accept(Symbol::kComma));
  }
  stream.Expect(Keyword::kFrom);
  statement.table = ParseQualifiedName(stream, "table");
  if (stream.Accept(Keyword::kUsing)) {
    stream.Expect(Keyword::kTimestamp);
    statement.attributes.timestamp = ParseIntegerOrMarker(stream);
  }
  stream.Expect(Keyword::kWhere);
  statement.where = ParseWhere(stream);
  statement.conditions = ParseIf(stream);
  return statement;
}

}  // namespace orrery::cassandra::grammar
