#include "query/operator/gathering_operator.h"

#include "model/value_size.h"
#include "query/operator/kept_bytes.h"

namespace orrery::query {

Result<bool> GatheringOperator::Next(OutputRow& row) {
  if (!is_arranged_) {
    ORRERY_TRY(Gather());
    order_ = Arrange(rows_);
    is_arranged_ = true;
  }
  if (next_ == order_.size()) return false;
  row = std::move(rows_[order_[next_++]]);
  return true;
}

Status GatheringOperator::Gather() {
  KeptBytes kept(limits_.kept_bytes_max);
  while (true) {
    OutputRow row;
    ORRERY_ASSIGN(const bool found, input_->Next(row));
    if (!found) return {};
    if (rows_.size() == limits_.sorted_rows_max)
      return Fail(Code::kTooLarge, "the query puts too many rows in order");
    ORRERY_TRY(kept.Add(model::ApproximateBytes(row.value)));
    for (const model::Value& value : row.order)
      ORRERY_TRY(kept.Add(model::ApproximateBytes(value)));
    rows_.push_back(std::move(row));
  }
}

}  // namespace orrery::query
