#include "api/sql/query/rank/rank_binder.h"

#include <algorithm>
#include <string>
#include <utility>

#include "api/sql/function/argument.h"
#include "api/sql/query/bind/function_name.h"
#include "api/sql/query/bind/order_direction.h"
#include "api/sql/query/bind/query_error_codes.h"
#include "api/sql/query/rank/full_text_hits.h"
#include "model/text/tokenizer.h"

namespace orrery::sql {
namespace {

constexpr size_t kScoresMax = 16;  // of one RRF

class RankBinder {
 public:
  explicit RankBinder(const BindContext& context) : context_(context) {}

  Parsed<std::vector<BoundRank>> Bind(const ast::Expression& expression) const {
    std::vector<BoundRank> ranks;
    if (!IsCallOf(expression, "RRF")) {
      Parsed<BoundRank> rank = BindScore(expression);
      if (!rank.has_value()) return std::unexpected(std::move(rank).error());
      ranks.push_back(*std::move(rank));
      return ranks;
    }
    const auto& arguments = expression.As<ast::FunctionCall>()->arguments;
    size_t scores = arguments.size();
    if (scores > 0 && arguments.back().As<ast::FunctionCall>() == nullptr) --scores;
    if (scores < 2 || scores > kScoresMax)
      return Refuse(expression, "The RRF function requires 2 to 16 scores.");
    for (size_t i = 0; i < scores; ++i) {
      Parsed<BoundRank> rank = BindScore(arguments[i]);
      if (!rank.has_value()) return std::unexpected(std::move(rank).error());
      ranks.push_back(*std::move(rank));
    }
    if (scores < arguments.size()) {
      const Parsed<void> weighed = BindWeights(arguments.back(), ranks);
      if (!weighed.has_value()) return std::unexpected(weighed.error());
    }
    return ranks;
  }

 private:
  std::unexpected<QueryError> Refuse(const ast::Expression& at, std::string message) const {
    return std::unexpected(ErrorAt(context_.text, at.range, kRankCode, std::move(message)));
  }

  Parsed<BoundRank> BindScore(const ast::Expression& expression) const {
    BoundRank rank;
    if (IsVectorDistance(expression)) {
      Parsed<BoundExpressionPtr> value = sql::Bind(expression, context_);
      if (!value.has_value()) return std::unexpected(std::move(value).error());
      rank.value = *std::move(value);
      rank.descending = IsDescendingByDefault(expression);
      return rank;
    }
    if (!IsCallOf(expression, "FULLTEXTSCORE"))
      return Refuse(expression, "ORDER BY RANK needs FULLTEXTSCORE, VECTORDISTANCE or RRF.");
    const auto& arguments = expression.As<ast::FunctionCall>()->arguments;
    if (arguments.size() < 2)
      return Refuse(expression, "The FULLTEXTSCORE function requires at least 2 argument(s).");
    Parsed<BoundExpressionPtr> text = sql::Bind(arguments[0], context_);
    if (!text.has_value()) return std::unexpected(std::move(text).error());
    std::vector<Phrase> phrases;
    for (size_t i = 1; i < arguments.size(); ++i) {
      const Parsed<void> added = AddPhrases(arguments[i], rank.phrases, phrases);
      if (!added.has_value()) return std::unexpected(added.error());
    }
    rank.value = FullTextHits(*std::move(text), std::move(phrases));
    rank.is_full_text = true;
    return rank;
  }

  // A string, or an array of them.
  Parsed<void> AddPhrases(const ast::Expression& argument, std::vector<std::string>& written,
                          std::vector<Phrase>& phrases) const {
    const Parsed<BoundExpressionPtr> bound = sql::Bind(argument, context_);
    if (!bound.has_value()) return std::unexpected(bound.error());
    const Value* value = (*bound)->constant();
    model::Values texts;
    if (value != nullptr && ArrayOf(*value) != nullptr) {
      texts = *ArrayOf(*value);
    } else if (value != nullptr) {
      texts.push_back(*value);
    }
    for (const Value& text : texts) {
      if (TextOf(text) == nullptr) return NoPhrase(argument);
      written.push_back(*TextOf(text));
      phrases.push_back(model::Tokenize(*TextOf(text)));
      if (phrases.back().size() > kPhraseWordsMax || phrases.size() > kPhrasesMax)
        return Refuse(argument, "FULLTEXTSCORE takes 64 phrases of 32 words each at most.");
    }
    if (texts.empty()) return NoPhrase(argument);
    return {};
  }
  std::unexpected<QueryError> NoPhrase(const ast::Expression& argument) const {
    return Refuse(argument, "FULLTEXTSCORE needs strings that are known before the query runs.");
  }

  Parsed<void> BindWeights(const ast::Expression& argument, std::vector<BoundRank>& ranks) const {
    const Parsed<BoundExpressionPtr> bound = sql::Bind(argument, context_);
    if (!bound.has_value()) return std::unexpected(bound.error());
    const Value* value = (*bound)->constant();
    const model::Values* weights = value == nullptr ? nullptr : ArrayOf(*value);
    if (weights == nullptr || weights->size() != ranks.size())
      return Refuse(argument, "RRF needs one weight for each of its scores.");
    for (size_t i = 0; i < ranks.size(); ++i) {
      const auto weight = NumberOf((*weights)[i]);
      if (!weight.has_value()) return Refuse(argument, "The weights of RRF must be numbers.");
      ranks[i].weight = *weight;
    }
    return {};
  }

  const BindContext& context_;
};

}  // namespace

Parsed<std::vector<BoundRank>> BindRank(const ast::OrderBy& order_by, const BindContext& context) {
  const ast::Expression& first = order_by.orderings.front().value;
  if (order_by.orderings.size() > 1)
    return std::unexpected(ErrorAt(context.text, order_by.orderings[1].value.range, kRankCode,
                                   "ORDER BY RANK takes one function."));
  if (order_by.orderings.front().order.has_value())
    return std::unexpected(ErrorAt(context.text, first.range, kRankCode,
                                   "Specifying a sort order (ASC or DESC) in the ORDER BY RANK "
                                   "clause is not allowed."));
  return RankBinder(context).Bind(first);
}

}  // namespace orrery::sql
