#include <utility>

#include "api/sql/query/operator/gathering_operator.h"
#include "api/sql/query/rank/ranking.h"

namespace orrery::sql {
namespace {

class RankOperator final : public GatheringOperator {
 public:
  RankOperator(OutputOperatorPtr input, const BoundQuery& query, const QueryLimits& limits)
      : GatheringOperator(std::move(input), limits), query_(query) {}

 private:
  std::vector<size_t> Arrange(const std::vector<OutputRow>& rows) const override {
    std::vector<const std::vector<model::Value>*> values;
    for (const OutputRow& row : rows) values.push_back(&row.order);
    return RankRows(values, query_.rank);
  }

  const BoundQuery& query_;
};

}  // namespace

OutputOperatorPtr Rank(OutputOperatorPtr input, const BoundQuery& query,
                       const QueryLimits& limits) {
  return std::make_unique<RankOperator>(std::move(input), query, limits);
}

}  // namespace orrery::sql
