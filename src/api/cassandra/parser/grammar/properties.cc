#include "api/cassandra/parser/grammar/properties.h"

#include <fmt/format.h>

#include "api/cassandra/parser/grammar/names.h"
#include "api/cassandra/parser/grammar/terms.h"
#include "query/lexer/character_class.h"

namespace orrery::cassandra::grammar {
namespace {

ast::Constant ParseLiteral(TokenStream& stream, std::string_view what) {
  if (AtConstant(stream)) return TakeConstant(stream);
  if (AtMarker(stream)) {
    stream.Fail(stream.position(),
                fmt::format("Invalid property {}: {} (bind variables are not supported in DDL "
                            "queries)",
                            what, stream.text()));
  } else {
    stream.FailNoViable();
  }
  return {};
}

// A word of the language may stand for itself: "speculative_retry = all".
ast::Constant ParseScalar(TokenStream& stream) {
  if (AtName(stream) && stream.At(TokenKind::kKeyword)) {
    ast::Constant word{.kind = ast::ConstantKind::kString, .text = query::ToLower(stream.text())};
    stream.Skip();
    return word;
  }
  return ParseLiteral(stream, "value");
}

}  // namespace

void PropertyList::ParseOne(TokenStream& stream) {
  ast::Property property{.name = ParseName(stream), .value = {}};
  stream.Expect(Symbol::kEqual);
  if (stream.At(Symbol::kLeftBrace)) {
    property.value = ParsePropertyMap(stream);
  } else {
    property.value = ParseScalar(stream);
  }
  if (!names_.insert(property.name.text).second)
    stream.Fail(property.name.position,
                fmt::format("Multiple definition for property '{}'", property.name.text));
  properties_.push_back(std::move(property));
}

ast::Properties ParseProperties(TokenStream& stream) {
  PropertyList list;
  do {
    list.ParseOne(stream);
  } while (stream.Accept(Keyword::kAnd));
  return list.Take();
}

ast::Properties ParseOptionalProperties(TokenStream& stream) {
  return stream.Accept(Keyword::kWith) ? ParseProperties(stream) : ast::Properties{};
}

ast::Property::Map ParsePropertyMap(TokenStream& stream) {
  ast::Property::Map map;
  std::unordered_set<std::string> keys;
  stream.Expect(Symbol::kLeftBrace);
  if (stream.Accept(Symbol::kRightBrace)) return map;
  do {
    const query::TextPosition position = stream.position();
    ast::Constant key = ParseLiteral(stream, "name");
    stream.Expect(Symbol::kColon);
    if (!keys.insert(key.text).second)
      stream.Fail(position, fmt::format("Multiple definition for property {}", key.text));
    map.emplace_back(std::move(key), ParseLiteral(stream, "value"));
  } while (stream.Accept(Symbol::kComma));
  stream.Expect(Symbol::kRightBrace);
  return map;
}

std::vector<ast::ClusteringOrder> ParseClusteringOrder(TokenStream& stream) {
  std::vector<ast::ClusteringOrder> order;
  stream.Expect(Keyword::kOrder);
  stream.Expect(Keyword::kBy);
  stream.Expect(Symbol::kLeftParen);
  do {
    ast::ClusteringOrder column{.column = ParseName(stream)};
    column.descending = stream.Accept(Keyword::kDesc);
    if (!column.descending) stream.Expect(Keyword::kAsc);
    order.push_back(std::move(column));
  } while (stream.Accept(Symbol::kComma));
  stream.Expect(Symbol::kRightParen);
  return order;
}

ast::PrimaryKey ParsePrimaryKey(TokenStream& stream) {
  ast::PrimaryKey key;
  stream.Expect(Keyword::kPrimary);
  stream.Expect(Keyword::kKey);
  stream.Expect(Symbol::kLeftParen);
  if (stream.Accept(Symbol::kLeftParen)) {
    do {
      key.partition_columns.push_back(ParseName(stream));
    } while (stream.Accept(Symbol::kComma));
    stream.Expect(Symbol::kRightParen);
  } else {
    key.partition_columns.push_back(ParseName(stream));
  }
  while (stream.Accept(Symbol::kComma)) key.clustering_columns.push_back(ParseName(stream));
  stream.Expect(Symbol::kRightParen);
  return key;
}

}  // namespace orrery::cassandra::grammar
