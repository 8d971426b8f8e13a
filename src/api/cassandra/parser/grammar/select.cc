#include "api/cassandra/parser/grammar/names.h"
#include "api/cassandra/parser/grammar/relations.h"
#include "api/cassandra/parser/grammar/statements.h"
#include "api/cassandra/parser/grammar/terms.h"

namespace orrery::cassandra::grammar {
namespace {

// JSON and DISTINCT may also be columns. They are what they say when something that can be selected
// follows.
bool AcceptModifier(TokenStream& stream, Keyword modifier) {
  if (!stream.At(modifier)) return false;
  const bool all_columns = stream.At(Symbol::kStar, 1) && stream.At(Keyword::kFrom, 2);
  const bool has_alias = stream.At(Keyword::kAs, 1) && AtName(stream, 2);
  if (has_alias || !(all_columns || AtTermStart(stream, TermPlace::kSelection, 1))) return false;
  stream.Skip();
  return true;
}

ast::Ordering ParseOrdering(TokenStream& stream) {
  ast::Ordering ordering{.column = ParseColumnName(stream), .nearest_to = {}};
  if (stream.Accept(Keyword::kAnn)) {
    stream.Expect(Keyword::kOf);
    ordering.nearest_to = ParseTerm(stream);
  }
  if (stream.Accept(Keyword::kDesc)) {
    ordering.descending = true;
  } else {
    stream.Accept(Keyword::kAsc);
  }
  return ordering;
}

}  // namespace

std::vector<ast::Selector> ParseSelectors(TokenStream& stream) {
  std::vector<ast::Selector> selectors;
  if (stream.Accept(Symbol::kStar)) return selectors;
  do {
    ast::Selector selector{.value = ParseTerm(stream, TermPlace::kSelection), .alias = {}};
    if (stream.Accept(Keyword::kAs)) selector.alias = ParseName(stream);
    selectors.push_back(std::move(selector));
  } while (stream.Accept(Symbol::kComma));
  return selectors;
}

ast::Select ParseSelect(TokenStream& stream) {
  ast::Select select;
  stream.Expect(Keyword::kSelect);
  select.is_json = AcceptModifier(stream, Keyword::kJson);
  select.is_distinct = AcceptModifier(stream, Keyword::kDistinct);
  select.selectors = ParseSelectors(stream);
  stream.Expect(Keyword::kFrom);
  select.table = ParseQualifiedName(stream, "table");
  if (stream.Accept(Keyword::kWhere)) select.where = ParseWhere(stream);
  if (stream.Accept(Keyword::kGroup)) {
    stream.Expect(Keyword::kBy);
    do {
      select.group_by.push_back(ParseTerm(stream, TermPlace::kSelection));
    } while (stream.Accept(Symbol::kComma));
  }
  if (stream.Accept(Keyword::kOrder)) {
    stream.Expect(Keyword::kBy);
    do {
      select.order_by.push_back(ParseOrdering(stream));
    } while (stream.Accept(Symbol::kComma));
  }
  if (stream.Accept(Keyword::kPer)) {
    stream.Expect(Keyword::kPartition);
    stream.Expect(Keyword::kLimit);
    select.per_partition_limit = ParseIntegerOrMarker(stream);
  }
  if (stream.Accept(Keyword::kLimit)) select.limit = ParseIntegerOrMarker(stream);
  if (stream.Accept(Keyword::kAllow)) {
    stream.Expect(Keyword::kFiltering);
    select.allow_filtering = true;
  }
  return select;
}

}  // namespace orrery::cassandra::grammar
