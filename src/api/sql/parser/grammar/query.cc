#include <charconv>
#include <system_error>
#include <utility>

#include "api/sql/parser/grammar/build.h"
#include "api/sql/parser/grammar/expressions.h"
#include "api/sql/parser/grammar/queries.h"

namespace orrery::sql::grammar {
namespace {

ast::OffsetLimit ParseOffsetLimit(TokenStream& stream) {
  ast::OffsetLimit clause{.offset = ParseRowCount(stream, CountClause::kOffset), .limit = {}};
  stream.Expect(Keyword::kLimit);
  clause.limit = ParseRowCount(stream, CountClause::kLimit);
  return clause;
}

}  // namespace

ast::Query ParseQuery(TokenStream& stream) {
  TokenStream::Level level(stream);
  ast::Query query{.select = ParseSelect(stream)};
  if (stream.Accept(Keyword::kFrom)) query.sources = ParseSources(stream);
  if (stream.Accept(Keyword::kWhere)) query.where = ParseExpression(stream);
  if (stream.Accept(Keyword::kGroup)) {
    stream.Expect(Keyword::kBy);
    query.group_by = ParseExpressions(stream);
  }
  if (stream.Accept(Keyword::kOrder)) query.order_by = ParseOrderBy(stream);
  if (stream.Accept(Keyword::kOffset)) query.offset_limit = ParseOffsetLimit(stream);
  query.depth = DepthOf(query);
  return query;
}

ast::RowCount ParseRowCount(TokenStream& stream, CountClause clause) {
  const std::string_view text = stream.text();
  if (stream.At(TokenKind::kParameter)) {
    stream.Skip();
    return ast::Parameter{std::string(text)};
  }
  uint32_t count = 0;
  const char* end = text.data() + text.size();
  const auto [parsed_end, error] = std::from_chars(text.data(), end, count);
  const bool is_number = stream.At(TokenKind::kNumber);
  if (is_number && error == std::errc() && parsed_end == end) {
    stream.Skip();
  } else if (is_number &&
             (error == std::errc::result_out_of_range || clause == CountClause::kTop)) {
    stream.FailCount(clause);
  } else {
    stream.FailHere();
  }
  return count;
}

}  // namespace orrery::sql::grammar
