#include <utility>

#include "api/sql/function/value_size.h"
#include "api/sql/query/operator/kept_bytes.h"
#include "api/sql/query/operator/output_operator.h"
#include "api/sql/query/rank/ranking.h"

namespace orrery::sql {
namespace {

class RankOperator final : public OutputOperator {
 public:
  RankOperator(OutputOperatorPtr input, const BoundQuery& query, const QueryLimits& limits)
      : input_(std::move(input)), query_(query), limits_(limits) {}

  Result<bool> Next(OutputRow& row) override {
    if (!is_ranked_) {
      ORRERY_TRY(Gather());
      is_ranked_ = true;
    }
    if (next_ == order_.size()) return false;
    row = std::move(rows_[order_[next_++]]);
    return true;
  }

 private:
  Status Gather() {
    KeptBytes kept(limits_.kept_bytes_max);
    while (true) {
      OutputRow row;
      ORRERY_ASSIGN(const bool found, input_->Next(row));
      if (!found) break;
      if (rows_.size() == limits_.sorted_rows_max)
        return Fail(Code::kTooLarge, "the query ranks too many rows");
      ORRERY_TRY(kept.Add(ApproximateBytes(row.value)));
      for (const model::Value& value : row.order) ORRERY_TRY(kept.Add(ApproximateBytes(value)));
      rows_.push_back(std::move(row));
    }
    std::vector<const std::vector<model::Value>*> values;
    for (const OutputRow& row : rows_) values.push_back(&row.order);
    order_ = RankRows(values, query_.rank);
    return {};
  }

  const OutputOperatorPtr input_;
  const BoundQuery& query_;
  const QueryLimits& limits_;
  std::vector<OutputRow> rows_;
  std::vector<size_t> order_;
  bool is_ranked_ = false;
  size_t next_ = 0;
};

}  // namespace

OutputOperatorPtr Rank(OutputOperatorPtr input, const BoundQuery& query,
                       const QueryLimits& limits) {
  return std::make_unique<RankOperator>(std::move(input), query, limits);
}

}  // namespace orrery::sql
