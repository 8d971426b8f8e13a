#include "api/sql/query/rank/ranking.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "api/sql/function/argument.h"
#include "api/sql/function/text/bm25.h"

namespace orrery::sql {
namespace {

using model::Value;
using Rows = std::vector<const std::vector<Value>*>;

constexpr double kFusionConstant = 60;
constexpr double kNoScore = -std::numeric_limits<double>::infinity();

// The first number is the text's length, the others hits of phrases; none for no text.
std::vector<double> HitsOf(const Value& value) {
  std::vector<double> numbers;
  if (const model::Values* hits = ArrayOf(value))
    for (const Value& hit : *hits) numbers.push_back(NumberOf(hit).value_or(0));
  return numbers;
}

std::vector<double> FullTextScores(const Rows& rows, size_t at) {
  std::vector<std::vector<double>> hits;
  std::vector<double> having;  // how many texts have each phrase
  double texts = 0;
  double words = 0;
  for (const std::vector<Value>* row : rows) {
    hits.push_back(HitsOf((*row)[at]));
    const std::vector<double>& of_row = hits.back();
    if (of_row.empty()) continue;
    ++texts;
    words += of_row.front();
    having.resize(std::max(having.size(), of_row.size()));
    for (size_t i = 1; i < of_row.size(); ++i) having[i] += of_row[i] > 0 ? 1 : 0;
  }
  const TextStatistics all{.texts = texts, .average_words = words > 0 ? words / texts : 1};
  std::vector<double> scores;
  for (const std::vector<double>& of_row : hits) {
    double score = of_row.empty() ? kNoScore : 0;
    for (size_t i = 1; i < of_row.size(); ++i)
      score += PhraseScore(of_row[i], of_row.front(), having[i], all);
    scores.push_back(score);
  }
  return scores;
}

// Greater is better.
std::vector<double> ScoresOf(const Rows& rows, size_t at, const BoundRank& rank) {
  if (rank.is_full_text) return FullTextScores(rows, at);
  std::vector<double> scores;
  for (const std::vector<Value>* row : rows) {
    const auto number = NumberOf((*row)[at]);
    scores.push_back(!number.has_value() ? kNoScore : rank.descending ? *number : -*number);
  }
  return scores;
}

// The greatest first.
std::vector<size_t> OrderOf(const std::vector<double>& scores) {
  std::vector<size_t> order(scores.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, [&](size_t a, size_t b) {
    return scores[a] == scores[b] ? a < b : scores[a] > scores[b];
  });
  return order;
}

class BoundRanking final : public query::RowRanking {
 public:
  explicit BoundRanking(std::span<const BoundRank> ranks) : ranks_(ranks) {}
  std::vector<size_t> Rank(const Rows& rows) const override { return RankRows(rows, ranks_); }

 private:
  const std::span<const BoundRank> ranks_;
};

}  // namespace

std::shared_ptr<const query::RowRanking> RankingOf(std::span<const BoundRank> ranks) {
  return ranks.empty() ? nullptr : std::make_shared<const BoundRanking>(ranks);
}

std::vector<size_t> RankRows(const Rows& rows, std::span<const BoundRank> ranks) {
  if (ranks.size() == 1) return OrderOf(ScoresOf(rows, 0, ranks.front()));
  std::vector<double> fused(rows.size());
  for (size_t at = 0; at < ranks.size(); ++at) {
    std::vector<double> scores = ScoresOf(rows, at, ranks[at]);
    if (ranks[at].weight < 0)
      for (double& score : scores) score = -score;
    double place = 0;
    double former = 0;
    for (const size_t row : OrderOf(scores)) {
      if (place == 0 || scores[row] != former) ++place;
      former = scores[row];
      fused[row] += ranks[at].weight / (kFusionConstant + place);
    }
  }
  return OrderOf(fused);
}

}  // namespace orrery::sql
