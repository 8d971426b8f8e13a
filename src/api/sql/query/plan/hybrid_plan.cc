#include "api/sql/query/plan/hybrid_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/sql/function/argument.h"
#include "api/sql/parser/parser.h"
#include "api/sql/parser/print/print.h"
#include "api/sql/query/plan/plan_error.h"
#include "api/sql/query/plan/query_info.h"
#include "api/sql/query/plan/query_rewriter.h"
#include "model/document/json.h"

namespace orrery::sql {
namespace {

using model::Value;

// Each partition gives more rows than are wanted: one that is good by two scores need not be among
// the best by either.
constexpr uint64_t kRowsPerTaken = 2;
constexpr uint64_t kRowsMin = 120;
constexpr uint64_t kRowsMax = 100'000;
// Without TOP and LIMIT: as many as JavaScript's client keeps at most.
constexpr uint64_t kRowsUnbounded = 50'000;

constexpr std::string_view kPlaceholder = "documentdb-formattablehybridsearchquery";
// The scores of documents that have none: behind all others.
constexpr std::string_view kNoFullTextScore = "-1";
constexpr std::string_view kLowest = "-1.79769e+308";
constexpr std::string_view kHighest = "1.79769e+308";

// One of the functions that rank.
struct Score {
  std::string text;  // as partitions are asked for it
  bool descending = true;
  std::string otherwise;  // the score of documents without one
};

const std::vector<ast::Expression>& ArgumentsOf(const ast::Expression& call) {
  return call.As<ast::FunctionCall>()->arguments;
}

// The calls that `ranks` were bound from.
std::vector<const ast::Expression*> CallsOf(const ast::OrderBy& order_by, size_t ranks) {
  const ast::Expression& whole = order_by.orderings.front().value;
  if (ranks == 1) return {&whole};
  std::vector<const ast::Expression*> calls;
  for (size_t i = 0; i < ranks; ++i) calls.push_back(&ArgumentsOf(whole)[i]);
  return calls;
}

std::string QuotedText(const std::string& text) { return model::ToJson(Value::String(text)); }

std::string FullTextScoreText(const ast::Expression& call, const BoundRank& rank, size_t number) {
  std::vector<std::string> phrases;
  for (const std::string& phrase : rank.phrases) phrases.push_back(QuotedText(phrase));
  return fmt::format(
      "_FullTextScore({0}, [{1}], {{{2}-totaldocumentcount}}, "
      "{{{2}-totalwordcount-{3}}}, {{{2}-hitcountsarray-{3}}})",
      PrintExpressionInFull(ArgumentsOf(call).front()), fmt::join(phrases, ", "), kPlaceholder,
      number);
}

std::string VectorScoreText(const ast::Expression& call) {
  std::vector<std::string> arguments;
  for (const ast::Expression& argument : ArgumentsOf(call))
    arguments.push_back(PrintExpressionInFull(argument));
  return fmt::format("_VectorScore({})", fmt::join(arguments, ", "));
}

// {"totalWordCount": .., "hitCounts": [..]} of one full-text score.
std::string StatisticsText(const ast::Expression& call, const BoundRank& rank) {
  const std::string text = PrintExpressionInFull(ArgumentsOf(call).front());
  std::vector<std::string> counts;
  for (const std::string& phrase : rank.phrases)
    counts.push_back(fmt::format("COUNTIF(FullTextContains({}, {}))", text, QuotedText(phrase)));
  return fmt::format(R"({{"totalWordCount": SUM(_FullTextWordCount({}) ?? 0), "hitCounts": [{}]}})",
                     text, fmt::join(counts, ", "));
}

class HybridPlanner {
 public:
  HybridPlanner(const BoundQuery& bound, const QueryBindContext& context)
      : bound_(bound), context_(context) {}

  Result<Value> Plan() {
    if (bound_.is_distinct) return OnlyHere("ORDER BY RANK with DISTINCT");
    ORRERY_ASSIGN(const ast::Query tree, Parse());
    const auto alias = DocumentAlias(tree);
    if (!alias.has_value() || tree.sources.size() > 1)
      return OnlyHere("ORDER BY RANK over anything but documents");
    ReadScores(*tree.order_by);
    model::Values components;
    for (const Score& score : scores_) {
      ORRERY_ASSIGN(Value component, ComponentOf(score));
      components.push_back(std::move(component));
    }
    return Value::Object(
        {{"globalStatisticsQuery",
          Value::String(
              fmt::format("SELECT COUNT(1) AS documentCount, [{}] AS fullTextStatistics FROM {}",
                          fmt::join(statistics_, ", "), *alias))},
         {"componentQueryInfos", Value::Array(std::move(components))},
         {"componentWithoutPayloadQueryInfos", Value::Array({})},
         {"projectionQueryInfo", Value::Null()},
         {"componentWeights", Weights()},
         {"skip", bound_.offset > 0 ? Count(bound_.offset) : Value::Null()},
         {"take", bound_.limit.has_value() ? Count(*bound_.limit) : Value::Null()},
         {"requiresGlobalStatistics", Value::Bool(!statistics_.empty())}});
  }

 private:
  Result<ast::Query> Parse() const {
    Parsed<ast::Query> tree = ParseQueryWith(context_.text, context_.vectors);
    if (!tree.has_value()) return Fail(tree.error().ToError());
    return *std::move(tree);
  }

  static Value Count(uint64_t number) { return FromInteger(static_cast<int64_t>(number)); }

  void ReadScores(const ast::OrderBy& order_by) {
    const auto calls = CallsOf(order_by, bound_.rank.size());
    for (size_t i = 0; i < bound_.rank.size(); ++i) {
      const BoundRank& rank = bound_.rank[i];
      Score& score = scores_.emplace_back();
      // A negative weight ranks from the other end.
      score.descending = rank.descending == (rank.weight >= 0);
      if (rank.is_full_text) {
        score.text = FullTextScoreText(*calls[i], rank, statistics_.size());
        score.otherwise = kNoFullTextScore;
        statistics_.push_back(StatisticsText(*calls[i], rank));
      } else {
        score.text = VectorScoreText(*calls[i]);
        score.otherwise = score.descending ? kLowest : kHighest;
      }
    }
  }

  Value Weights() const {
    const bool are_plain =
        std::ranges::all_of(bound_.rank, [](const BoundRank& rank) { return rank.weight == 1; });
    model::Values weights;
    if (are_plain) return Value::Array(std::move(weights));
    for (const BoundRank& rank : bound_.rank)
      weights.push_back(Value::Double(std::abs(rank.weight)));
    return Value::Array(std::move(weights));
  }

  // The best documents by one of the scores.
  Result<Value> ComponentOf(const Score& score) const {
    ORRERY_ASSIGN(ast::Query tree, Parse());
    std::vector<std::string> all;
    for (const Score& each : scores_)
      all.push_back(fmt::format("({} ?? {})", each.text, each.otherwise));
    ORRERY_ASSIGN(ast::Expression list, Expression(fmt::format("[{}]", fmt::join(all, ", "))));
    ORRERY_ASSIGN(ast::Expression value, Expression(score.text));
    RequireDefinedValue(tree);
    ast::SelectList row;
    row.items.push_back({.value = TakePayload(tree), .alias = ast::Name{"payload"}});
    row.items.push_back({.value = std::move(list), .alias = ast::Name{"componentScores"}});
    tree.select.what = std::move(row);

    const uint64_t rows =
        bound_.limit.has_value()
            ? std::clamp((bound_.offset + *bound_.limit) * kRowsPerTaken, kRowsMin, kRowsMax)
            : kRowsUnbounded;
    tree.select.top = static_cast<uint32_t>(rows);
    tree.offset_limit.reset();
    tree.order_by = ast::OrderBy();
    tree.order_by->orderings.push_back({std::move(value), score.descending
                                                              ? ast::SortOrder::kDescending
                                                              : ast::SortOrder::kAscending});
    if (!RewriteOrderBy(tree)) return OnlyHere("ORDER BY RANK over anything but documents");
    // Clients order equal rows by this: on Azure that is the order of creation.
    const std::string alias = *DocumentAlias(tree);
    ORRERY_ASSIGN(ast::Expression order,
                  Expression(fmt::format("_RankOrder({0}._etag, {0}._rid)", alias)));
    std::get<ast::SelectList>(tree.select.what).items.front() = {.value = std::move(order),
                                                                 .alias = ast::Name{"_rid"}};
    return QueryInfo{.top = Count(rows),
                     .order_by = {score.descending},
                     .order_by_expressions = {score.text},
                     .rewritten_query = PrintRewritten(tree),
                     .has_non_streaming_order_by = true}
        .ToValue();
  }

  static Result<ast::Expression> Expression(const std::string& text) {
    Parsed<ast::Expression> parsed = ParseExpression(text);
    if (!parsed.has_value()) return OnlyHere("ORDER BY RANK of such scores");
    return *std::move(parsed);
  }

  const BoundQuery& bound_;
  const QueryBindContext& context_;
  std::vector<Score> scores_;
  std::vector<std::string> statistics_;  // one for each full-text score
};

}  // namespace

Result<Value> HybridPlan(const BoundQuery& bound, const QueryBindContext& context) {
  return HybridPlanner(bound, context).Plan();
}

}  // namespace orrery::sql
