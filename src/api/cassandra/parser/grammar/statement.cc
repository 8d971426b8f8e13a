#include <utility>
#include <variant>

#include "api/cassandra/parser/grammar/names.h"
#include "api/cassandra/parser/grammar/statements.h"

namespace orrery::cassandra::grammar {
namespace {

ast::Statement ParseTruncate(TokenStream& stream) {
  stream.Expect(Keyword::kTruncate);
  stream.Accept(Keyword::kTable);
  return ast::Truncate{ParseQualifiedName(stream, "table")};
}

ast::Statement ParseUse(TokenStream& stream) {
  stream.Expect(Keyword::kUse);
  return ast::Use{ParseKeyspaceName(stream)};
}

ast::Statement ParseCreate(TokenStream& stream) {
  stream.Expect(Keyword::kCreate);
  const bool or_replace = stream.Accept(Keyword::kOr, Keyword::kReplace);
  if (stream.At(Keyword::kFunction)) return ParseCreateFunction(stream, or_replace);
  if (stream.At(Keyword::kAggregate)) return ParseCreateAggregate(stream, or_replace);
  if (!or_replace) {
    switch (stream.Peek().keyword) {
      case Keyword::kKeyspace:
      case Keyword::kSchema:
        return ParseCreateKeyspace(stream);
      case Keyword::kTable:
        return ParseCreateTable(stream);
      case Keyword::kType:
        return ParseCreateType(stream);
      case Keyword::kCustom:
      case Keyword::kIndex:
        return ParseCreateIndex(stream);
      case Keyword::kMaterialized:
        return ParseCreateView(stream);
      case Keyword::kTrigger:
        return ParseCreateTrigger(stream);
      case Keyword::kRole:
        return ParseCreateRole(stream);
      case Keyword::kUser:
        return ParseCreateUser(stream);
      default:
        break;
    }
  }
  stream.FailNoViable();
  return {};
}

ast::Statement ParseAlter(TokenStream& stream) {
  stream.Expect(Keyword::kAlter);
  switch (stream.Peek().keyword) {
    case Keyword::kKeyspace:
    case Keyword::kSchema:
      return ParseAlterKeyspace(stream);
    case Keyword::kTable:
      return ParseAlterTable(stream);
    case Keyword::kType:
      return ParseAlterType(stream);
    case Keyword::kMaterialized:
      return ParseAlterView(stream);
    case Keyword::kRole:
      return ParseAlterRole(stream);
    case Keyword::kUser:
      return ParseAlterUser(stream);
    default:
      stream.FailNoViable();
      return {};
  }
}

}  // namespace

ast::Statement ParseStatement(TokenStream& stream) {
  switch (stream.Peek().keyword) {
    case Keyword::kSelect:
      return ParseSelect(stream);
    case Keyword::kInsert:
      return std::visit([](auto&& insert) -> ast::Statement { return std::move(insert); },
                        ParseInsert(stream));
    case Keyword::kUpdate:
      return ParseUpdate(stream);
    case Keyword::kDelete:
      return ParseDelete(stream);
    case Keyword::kBegin:
      return ParseBatch(stream);
    case Keyword::kTruncate:
      return ParseTruncate(stream);
    case Keyword::kUse:
      return ParseUse(stream);
    case Keyword::kCreate:
      return ParseCreate(stream);
    case Keyword::kAlter:
      return ParseAlter(stream);
    case Keyword::kDrop:
      return ParseDrop(stream);
    case Keyword::kGrant:
      return ParseGrant(stream);
    case Keyword::kRevoke:
      return ParseRevoke(stream);
    case Keyword::kList:
      return ParseList(stream);
    case Keyword::kDesc:
    case Keyword::kDescribe:
      return ParseDescribe(stream);
    default:
      stream.FailNoViable();
      return {};
  }
}

}  // namespace orrery::cassandra::grammar
