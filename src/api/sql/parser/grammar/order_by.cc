#include <utility>

#include "api/sql/parser/grammar/expressions.h"
#include "api/sql/parser/grammar/names.h"
#include "api/sql/parser/grammar/queries.h"

namespace orrery::sql::grammar {
namespace {

// RANK may also be an alias; it is the keyword when a function's name follows.
bool AcceptRank(TokenStream& stream) { return AtName(stream, 1) && stream.Accept(Keyword::kRank); }

ast::Ordering ParseOrdering(TokenStream& stream, bool is_rank) {
  const SourceRange first_token = stream.Peek().range;
  ast::Ordering ordering{.value = ParseExpression(stream)};
  if (is_rank && !ordering.value.As<ast::FunctionCall>()) stream.FailNear(first_token);
  if (stream.Accept(Keyword::kDesc)) {
    ordering.order = ast::SortOrder::kDescending;
  } else if (stream.Accept(Keyword::kAsc)) {
    ordering.order = ast::SortOrder::kAscending;
  }
  return ordering;
}

}  // namespace

ast::OrderBy ParseOrderBy(TokenStream& stream) {
  stream.Expect(Keyword::kBy);
  ast::OrderBy clause{.is_rank = AcceptRank(stream)};
  do {
    clause.orderings.push_back(ParseOrdering(stream, clause.is_rank));
  } while (stream.Accept(Symbol::kComma));
  return clause;
}

}  // namespace orrery::sql::grammar
