#include <algorithm>
#include <numeric>
#include <string>
#include <unordered_set>
#include <utility>

#include "api/sql/function/identity.h"
#include "api/sql/function/json_type.h"
#include "api/sql/function/value_size.h"
#include "api/sql/query/operator/gathering_operator.h"
#include "api/sql/query/operator/kept_bytes.h"
#include "api/sql/query/operator/output_operator.h"
#include "model/compare.h"

namespace orrery::sql {
namespace {

using model::Value;

class ProjectOperator final : public OutputOperator {
 public:
  ProjectOperator(RowOperatorPtr input, const BoundQuery& query, RowFrame& frame)
      : input_(std::move(input)), query_(query), frame_(frame) {}

  Result<bool> Next(OutputRow& row) override {
    while (true) {
      ORRERY_ASSIGN(const bool found, input_->Next());
      if (!found) return false;
      ORRERY_ASSIGN(const bool has_order, EvaluateOrder(row));
      if (!has_order) continue;
      Value scratch;
      ORRERY_ASSIGN(const Value* value, query_.select->Evaluate(frame_.frame(), scratch));
      if (value->is_undefined()) continue;
      row.value = Take(value, scratch);
      return true;
    }
  }

 private:
  // False when the row has no place in the order.
  Result<bool> EvaluateOrder(OutputRow& row) {
    row.order.clear();
    for (const BoundOrdering& ordering : query_.order_by) {
      Value scratch;
      ORRERY_ASSIGN(const Value* value, ordering.value->Evaluate(frame_.frame(), scratch));
      const bool has_place =
          IsPrimitive(TypeOf(*value)) || (value->is_undefined() && query_.orders_undefined);
      if (query_.order_by.size() == 1 && !has_place) return false;
      row.order.push_back(Take(value, scratch));
    }
    for (const BoundRank& rank : query_.rank) {
      Value scratch;
      ORRERY_ASSIGN(const Value* value, rank.value->Evaluate(frame_.frame(), scratch));
      row.order.push_back(Take(value, scratch));
    }
    return true;
  }

  const RowOperatorPtr input_;
  const BoundQuery& query_;
  RowFrame& frame_;
};

class SortOperator final : public GatheringOperator {
 public:
  SortOperator(OutputOperatorPtr input, const BoundQuery& query, const QueryLimits& limits)
      : GatheringOperator(std::move(input), limits), query_(query) {}

 private:
  std::vector<size_t> Arrange(const std::vector<OutputRow>& rows) const override {
    std::vector<size_t> order(rows.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::sort(order, [&](size_t a, size_t b) {
      const int compared = CompareOrder(rows[a].order, rows[b].order, query_);
      return compared == 0 ? a < b : compared < 0;
    });
    return order;
  }

  const BoundQuery& query_;
};

class DistinctOperator final : public OutputOperator {
 public:
  DistinctOperator(OutputOperatorPtr input, const QueryLimits& limits)
      : input_(std::move(input)), limits_(limits), kept_(limits.kept_bytes_max) {}

  Result<bool> Next(OutputRow& row) override {
    while (true) {
      ORRERY_ASSIGN(const bool found, input_->Next(row));
      if (!found) return false;
      std::string identity = IdentityOf(row.value);
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
  const QueryLimits& limits_;
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
                 const BoundQuery& query) {
  for (size_t i = 0; i < query.order_by.size(); ++i) {
    const auto order = model::Compare(a[i], b[i], model::Order::kSql);
    if (order == 0) continue;
    return (order < 0) != query.order_by[i].descending ? -1 : 1;
  }
  return 0;
}

OutputOperatorPtr Project(RowOperatorPtr input, const BoundQuery& query, RowFrame& frame) {
  return std::make_unique<ProjectOperator>(std::move(input), query, frame);
}

OutputOperatorPtr Sort(OutputOperatorPtr input, const BoundQuery& query,
                       const QueryLimits& limits) {
  return std::make_unique<SortOperator>(std::move(input), query, limits);
}

OutputOperatorPtr Distinct(OutputOperatorPtr input, const QueryLimits& limits) {
  return std::make_unique<DistinctOperator>(std::move(input), limits);
}

OutputOperatorPtr Limit(OutputOperatorPtr input, uint64_t offset, std::optional<uint64_t> limit) {
  return std::make_unique<LimitOperator>(std::move(input), offset, limit);
}

}  // namespace orrery::sql
