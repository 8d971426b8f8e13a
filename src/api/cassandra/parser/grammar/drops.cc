#include "api/cassandra/parser/grammar/names.h"
#include "api/cassandra/parser/grammar/statements.h"
#include "api/cassandra/parser/grammar/types.h"

namespace orrery::cassandra::grammar {
namespace {

ast::Signature ParseSignature(TokenStream& stream) {
  if (!stream.At(Symbol::kLeftParen)) return std::nullopt;
  return ParseTypeList(stream);
}

ast::DropTrigger ParseDropTrigger(TokenStream& stream, bool if_exists) {
  ast::DropTrigger drop{.trigger = ParseName(stream), .table = {}, .if_exists = if_exists};
  stream.Expect(Keyword::kOn);
  drop.table = ParseQualifiedName(stream, "table");
  return drop;
}

// Parses what follows DROP <kind> [IF EXISTS].
ast::Statement ParseDropped(TokenStream& stream, Keyword kind, bool if_exists) {
  switch (kind) {
    case Keyword::kKeyspace:
    case Keyword::kSchema:
      return ast::DropKeyspace{ParseKeyspaceName(stream), if_exists};
    case Keyword::kTable:
      return ast::DropTable{ParseQualifiedName(stream, "table"), if_exists};
    case Keyword::kType:
      return ast::DropType{ParseUserTypeName(stream), if_exists};
    case Keyword::kIndex:
      return ast::DropIndex{ParseQualifiedName(stream, "index"), if_exists};
    case Keyword::kView:
      return ast::DropView{ParseQualifiedName(stream, "table"), if_exists};
    case Keyword::kTrigger:
      return ParseDropTrigger(stream, if_exists);
    case Keyword::kFunction: {
      ast::QualifiedName function = ParseFunctionName(stream);
      return ast::DropFunction{std::move(function), if_exists, ParseSignature(stream)};
    }
    case Keyword::kAggregate: {
      ast::QualifiedName aggregate = ParseFunctionName(stream);
      return ast::DropAggregate{std::move(aggregate), if_exists, ParseSignature(stream)};
    }
    case Keyword::kRole:
      return ast::DropRole{ParseRoleName(stream), if_exists};
    case Keyword::kUser:
      return ast::DropRole{ParseUserName(stream), if_exists};
    default:
      stream.FailNoViable();
      return {};
  }
}

bool CanBeDropped(Keyword kind) {
  switch (kind) {
    case Keyword::kKeyspace:
    case Keyword::kSchema:
    case Keyword::kTable:
    case Keyword::kType:
    case Keyword::kIndex:
    case Keyword::kView:
    case Keyword::kTrigger:
    case Keyword::kFunction:
    case Keyword::kAggregate:
    case Keyword::kRole:
    case Keyword::kUser:
      return true;
    default:
      return false;
  }
}

}  // namespace

ast::Statement ParseDrop(TokenStream& stream) {
  stream.Expect(Keyword::kDrop);
  const bool is_view = stream.Accept(Keyword::kMaterialized);
  const Keyword kind = stream.Peek().keyword;
  if (!CanBeDropped(kind) || is_view != (kind == Keyword::kView)) {
    stream.FailNoViable();
    return {};
  }
  stream.Skip();
  const bool if_exists = AcceptIfExists(stream);
  return ParseDropped(stream, kind, if_exists);
}

}  // namespace orrery::cassandra::grammar
