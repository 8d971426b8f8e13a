#include "api/cassandra/parser/grammar/names.h"
#include "api/cassandra/parser/grammar/properties.h"
#include "api/cassandra/parser/grammar/statements.h"
#include "api/cassandra/parser/grammar/terms.h"
#include "api/cassandra/parser/grammar/types.h"

namespace orrery::cassandra::grammar {
namespace {

ast::ColumnDefinition ParseNewColumn(TokenStream& stream) {
  ast::ColumnDefinition column{.name = ParseName(stream), .type = {}};
  column.type = ParseType(stream);
  column.is_static = stream.Accept(Keyword::kStatic);
  return column;
}

ast::AddColumns ParseAdd(TokenStream& stream) {
  ast::AddColumns add{.if_not_exists = AcceptIfNotExists(stream), .columns = {}};
  if (!stream.Accept(Symbol::kLeftParen)) {
    add.columns.push_back(ParseNewColumn(stream));
    return add;
  }
  do {
    add.columns.push_back(ParseNewColumn(stream));
  } while (stream.Accept(Symbol::kComma));
  stream.Expect(Symbol::kRightParen);
  return add;
}

ast::DropColumns ParseDropColumns(TokenStream& stream) {
  ast::DropColumns drop{.if_exists = AcceptIfExists(stream), .columns = {}, .timestamp = {}};
  if (stream.Accept(Symbol::kLeftParen)) {
    do {
      drop.columns.push_back(ParseName(stream));
    } while (stream.Accept(Symbol::kComma));
    stream.Expect(Symbol::kRightParen);
  } else {
    drop.columns.push_back(ParseName(stream));
  }
  if (stream.Accept(Keyword::kUsing)) {
    stream.Expect(Keyword::kTimestamp);
    if (stream.At(TokenKind::kInteger)) {
      drop.timestamp = TakeConstant(stream);
    } else {
      stream.FailMismatch("INTEGER");
    }
  }
  return drop;
}

ast::AlterTable::Change ParseChange(TokenStream& stream) {
  if (stream.Accept(Keyword::kAdd)) return ParseAdd(stream);
  if (stream.Accept(Keyword::kDrop)) {
    if (stream.Accept(Keyword::kCompact, Keyword::kStorage)) return ast::DropCompactStorage{};
    return ParseDropColumns(stream);
  }
  if (stream.Accept(Keyword::kRename)) {
    const bool if_exists = AcceptIfExists(stream);
    return ast::RenameColumns{.if_exists = if_exists, .renames = ParseRenames(stream)};
  }
  if (stream.Accept(Keyword::kAlter)) {
    ast::AlterColumnType alter{.column = ParseColumnName(stream), .type = {}};
    stream.Expect(Keyword::kType);
    alter.type = ParseType(stream);
    return alter;
  }
  if (stream.Accept(Keyword::kWith)) return ParseProperties(stream);
  stream.FailNoViable();
  return {};
}

}  // namespace

ast::AlterTable ParseAlterTable(TokenStream& stream) {
  stream.Expect(Keyword::kTable);
  ast::AlterTable alter;
  alter.if_exists = AcceptIfExists(stream);
  alter.table = ParseQualifiedName(stream, "table");
  alter.change = ParseChange(stream);
  return alter;
}

}  // namespace orrery::cassandra::grammar
