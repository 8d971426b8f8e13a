#include <utility>

#include "api/sql/parser/grammar/expressions.h"
#include "api/sql/parser/grammar/names.h"
#include "api/sql/parser/grammar/queries.h"

namespace orrery::sql::grammar {
namespace {

ast::SelectItem ParseSelectItem(TokenStream& stream) {
  ast::SelectItem item{.value = ParseExpression(stream)};
  if (stream.Accept(Keyword::kAs)) {
    item.alias = ParseWord(stream);
  } else if (AtName(stream)) {
    item.alias = ParseName(stream);
  }
  return item;
}

}  // namespace

ast::Select ParseSelect(TokenStream& stream) {
  ast::Select select;
  stream.Expect(Keyword::kSelect);
  select.is_distinct = stream.Accept(Keyword::kDistinct);
  if (stream.Accept(Keyword::kTop)) {
    select.top = ParseRowCount(stream, CountClause::kTop);
    // Both orders are in use.
    if (!select.is_distinct) select.is_distinct = stream.Accept(Keyword::kDistinct);
  }
  if (stream.Accept(Symbol::kStar)) {
    select.what = ast::SelectAll();
  } else if (stream.Accept(Keyword::kValue)) {
    select.what = ast::SelectValue{ParseExpression(stream)};
  } else {
    ast::SelectList list;
    do {
      list.items.push_back(ParseSelectItem(stream));
    } while (stream.Accept(Symbol::kComma));
    select.what = std::move(list);
  }
  return select;
}

}  // namespace orrery::sql::grammar
