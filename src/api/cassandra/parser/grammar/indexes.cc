#include "api/cassandra/parser/grammar/names.h"
#include "api/cassandra/parser/grammar/properties.h"
#include "api/cassandra/parser/grammar/statements.h"

namespace orrery::cassandra::grammar {
namespace {

ast::IndexTargetKind TargetKindOf(Keyword keyword) {
  switch (keyword) {
    case Keyword::kKeys:
      return ast::IndexTargetKind::kKeys;
    case Keyword::kValues:
      return ast::IndexTargetKind::kValues;
    case Keyword::kEntries:
      return ast::IndexTargetKind::kEntries;
    case Keyword::kFull:
      return ast::IndexTargetKind::kFull;
    default:
      return ast::IndexTargetKind::kColumn;
  }
}

ast::IndexTarget ParseIndexTarget(TokenStream& stream) {
  const ast::IndexTargetKind kind = TargetKindOf(stream.Peek().keyword);
  // "keys" and "values" may be columns.
  if (kind == ast::IndexTargetKind::kColumn || !stream.At(Symbol::kLeftParen, 1))
    return {.kind = ast::IndexTargetKind::kColumn, .column = ParseColumnName(stream)};
  stream.Skip();
  stream.Expect(Symbol::kLeftParen);
  ast::IndexTarget target{.kind = kind, .column = ParseColumnName(stream)};
  stream.Expect(Symbol::kRightParen);
  return target;
}

}  // namespace

ast::CreateIndex ParseCreateIndex(TokenStream& stream) {
  ast::CreateIndex create;
  create.is_custom = stream.Accept(Keyword::kCustom);
  stream.Expect(Keyword::kIndex);
  create.if_not_exists = AcceptIfNotExists(stream);
  if (!stream.At(Keyword::kOn)) create.index = ParseName(stream);
  stream.Expect(Keyword::kOn);
  create.table = ParseQualifiedName(stream, "table");
  stream.Expect(Symbol::kLeftParen);
  if (!stream.At(Symbol::kRightParen)) {
    do {
      create.targets.push_back(ParseIndexTarget(stream));
    } while (stream.Accept(Symbol::kComma));
  }
  stream.Expect(Symbol::kRightParen);
  if (stream.Accept(Keyword::kUsing)) create.class_name = stream.ExpectString();
  create.properties = ParseOptionalProperties(stream);
  return create;
}

}  // namespace orrery::cassandra::grammar
