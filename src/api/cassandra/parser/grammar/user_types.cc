#include "api/cassandra/parser/grammar/names.h"
#include "api/cassandra/parser/grammar/statements.h"
#include "api/cassandra/parser/grammar/types.h"

namespace orrery::cassandra::grammar {
namespace {

ast::FieldDefinition ParseField(TokenStream& stream) {
  ast::FieldDefinition field{.name = ParseName(stream), .type = {}};
  field.type = ParseType(stream);
  return field;
}

}  // namespace

ast::CreateType ParseCreateType(TokenStream& stream) {
  stream.Expect(Keyword::kType);
  ast::CreateType create;
  create.if_not_exists = AcceptIfNotExists(stream);
  create.type = ParseUserTypeName(stream);
  stream.Expect(Symbol::kLeftParen);
  // Commas may be doubled and trail.
  do {
    if (create.fields.empty() || AtName(stream)) create.fields.push_back(ParseField(stream));
  } while (stream.Accept(Symbol::kComma));
  stream.Expect(Symbol::kRightParen);
  return create;
}

ast::AlterType ParseAlterType(TokenStream& stream) {
  stream.Expect(Keyword::kType);
  ast::AlterType alter;
  alter.if_exists = AcceptIfExists(stream);
  alter.type = ParseUserTypeName(stream);
  if (stream.Accept(Keyword::kAdd)) {
    const bool if_not_exists = AcceptIfNotExists(stream);
    alter.change = ast::AddField{.if_not_exists = if_not_exists, .field = ParseField(stream)};
  } else if (stream.Accept(Keyword::kRename)) {
    const bool if_exists = AcceptIfExists(stream);
    alter.change = ast::RenameFields{.if_exists = if_exists, .renames = ParseRenames(stream)};
  } else if (stream.Accept(Keyword::kAlter)) {
    ast::AlterFieldType change{.field = {.name = ParseName(stream), .type = {}}};
    stream.Expect(Keyword::kType);
    change.field.type = ParseType(stream);
    alter.change = std::move(change);
  } else {
    stream.FailNoViable();
  }
  return alter;
}

}  // namespace orrery::cassandra::grammar
