#include <algorithm>
#include <numeric>
#include <string>
#include <unordered_set>
#include <utility>

#include "model/compare.h"
#include "model/value_size.h"
#include "query/operator/gathering_operator.h"
#include "query/operator/kept_bytes.h"
#include "query/operator/output_operator.h"

namespace orrery::query {
namespace {

using model::Value;

class ProjectOperator final : public OutputOperator {
 public:
  ProjectOperator(RowOperatorPtr input, const OperatorPlan& plan, RowFrame& frame)
      : input_(std::move(input)), plan_(plan), frame_(frame) {}

  Result<bool> Next(OutputRow& row) override {
    while (true) {
      ORRERY_ASSIGN(const bool found, input_->Next());
      if (!found) return false;
      ORRERY_ASSIGN(const bool has_order, EvaluateOrder(row));
      if (!has_order) continue;
      Value scratch;
      ORRERY_ASSIGN(const Value* value, plan_.select->Evaluate(frame_.frame(), scratch));
      if (value->is_undefined()) continue;
      row.value = Take(value, scratch);
      return true;
    }
  }

 private:
  // False when the row has no place in the order.
  Result<bool> EvaluateOrder(OutputRow& row) {
    row.order.clear();
    for (const OrderingStep& ordering : plan_.order_by) {
      Value scratch;
      ORRERY_ASSIGN(const Value* value, ordering.value->Evaluate(frame_.frame(), scratch));
      const bool has_place =
          value->is_undefined() ? plan_.orders_undefined
                                : plan_.rules.has_place == nullptr || plan_.rules.has_place(*value);
      if (plan_.order_by.size() == 1 && !has_place) return false;
      row.order.push_back(Take(value, scratch));
    }
    for (const Evaluator* rank : plan_.rank) {
      Value scratch;
      ORRERY_ASSIGN(const Value* value, rank->Evaluate(frame_.frame(), scratch));
      row.order.push_back(Take(value, scratch));
    }
    return true;
  }

  const RowOperatorPtr input_;
  const OperatorPlan& plan_;
  RowFrame& frame_;
};

class SortOperator final : public GatheringOperator {
 public:
  SortOperator(OutputOperatorPtr input, const OperatorPlan& plan, const RunLimits& limits)
      : GatheringOperator(std::move(input), limits), plan_(plan) {}

 private:
  std::vector<size_t> Arrange(const std::vector<OutputRow>& rows) const override {
    std::vector<size_t> order(rows.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::sort(order, [&](size_t a, size_t b) {
      const int compared = CompareOrder(rows[a].order, rows[b].order, plan_);
      return compared == 0 ? a < b : compared < 0;
    });
    return order;
  }

  const OperatorPlan& plan_;
};

class RankOperator final : public GatheringOperator {
 public:
  RankOperator(OutputOperatorPtr input, const OperatorPlan& plan, const RunLimits& limits)
      : GatheringOperator(std::move(input), limits), plan_(plan) {}

 private:
  std::vector<size_t> Arrange(const std::vector<OutputRow>& rows) const override {
    std::vector<const std::vector<Value>*> values;
    values.reserve(rows.size());
    for (const OutputRow& row : rows) values.push_back(&row.order);
    return plan_.ranking->Rank(values);
  }

  const OperatorPlan& plan_;
};

class DistinctOperator final : public OutputOperator {
 public:
  DistinctOperator(OutputOperatorPtr input, const OperatorPlan& plan, const RunLimits& limits)
      : input_(std::move(input)), plan_(plan), limits_(limits), kept_(limits.kept_bytes_max) {}

  Result<bool> Next(OutputRow& row) override {
    while (true) {
      ORRERY_ASSIGN(const bool found, input_->Next(row));
      if (!found) return false;
      std::string identity;
      plan_.rules.append_identity(identity, row.value);
      const size_t bytes = identity.size();
      if (!seen_.insert(std::move(identity)).second) continue;
      if (seen_.size() > limits_.distinct_max)
        return Fail(Code::kTooLarge, "the query has too many distinct values");
      ORRERY_TRY(kept_.Add(bytes));
      return true;
    }
  }

 private:
  const OutputOperatorPtr input_;
  const OperatorPlan& plan_;
  const RunLimits& limits_;
  KeptBytes kept_;
  std::unordered_set<std::string> seen_;
};

class LimitOperator final : public OutputOperator {
 public:
  LimitOperator(OutputOperatorPtr input, uint64_t offset, std::optional<uint64_t> limit)
      : input_(std::move(input)), offset_(offset), limit_(limit) {}

  Result<bool> Next(OutputRow& row) override {
    if (limit_ == 0) return false;
    for (; offset_ > 0; --offset_) {
      ORRERY_ASSIGN(const bool found, input_->Next(row));
      if (!found) {
        limit_ = 0;
        return false;
      }
    }
    if (limit_.has_value()) --*limit_;
    return input_->Next(row);
  }

 private:
  const OutputOperatorPtr input_;
  uint64_t offset_;
  std::optional<uint64_t> limit_;
};

}  // namespace

int CompareOrder(const std::vector<Value>& a, const std::vector<Value>& b,
                 const OperatorPlan& plan) {
  for (size_t i = 0; i < plan.order_by.size(); ++i) {
    const auto order = model::Compare(a[i], b[i], plan.rules.order);
    if (order == 0) continue;
    return (order < 0) != plan.order_by[i].descending ? -1 : 1;
  }
  return 0;
}

OutputOperatorPtr Project(RowOperatorPtr input, const OperatorPlan& plan, RowFrame& frame) {
  return std::make_unique<ProjectOperator>(std::move(input), plan, frame);
}

OutputOperatorPtr Sort(OutputOperatorPtr input, const OperatorPlan& plan, const RunLimits& limits) {
  return std::make_unique<SortOperator>(std::move(input), plan, limits);
}

OutputOperatorPtr Rank(OutputOperatorPtr input, const OperatorPlan& plan, const RunLimits& limits) {
  return std::make_unique<RankOperator>(std::move(input), plan, limits);
}

OutputOperatorPtr Distinct(OutputOperatorPtr input, const OperatorPlan& plan,
                           const RunLimits& limits) {
  return std::make_unique<DistinctOperator>(std::move(input), plan, limits);
}

OutputOperatorPtr Limit(OutputOperatorPtr input, uint64_t offset, std::optional<uint64_t> limit) {
  return std::make_unique<LimitOperator>(std::move(input), offset, limit);
}

}  // namespace orrery::query
