// The operators that keep nothing: rows come in and go out one by one.
#include "query/operator/row_operators.h"

#include <utility>

#include "base/check.h"

namespace orrery::query {
namespace {

class OneRowOperator final : public RowOperator {
 public:
  Result<bool> Next() override { return std::exchange(is_left_, false); }

 private:
  bool is_left_ = true;
};

class DocumentsOperator final : public RowOperator {
 public:
  DocumentsOperator(DocumentSource& documents, uint32_t slot, RowFrame& frame)
      : documents_(documents), slot_(slot), frame_(frame) {}

  Result<bool> Next() override {
    ORRERY_ASSIGN(const bool found, documents_.Next());
    if (!found) return false;
    frame_.BeginDocument();
    frame_.Set(slot_, documents_.document());
    return true;
  }

 private:
  DocumentSource& documents_;
  const uint32_t slot_;
  RowFrame& frame_;
};

class FilterOperator final : public RowOperator {
 public:
  FilterOperator(RowOperatorPtr input, const Evaluator& condition, RowFrame& frame)
      : input_(std::move(input)), condition_(condition), frame_(frame) {}

  Result<bool> Next() override {
    while (true) {
      ORRERY_ASSIGN(const bool found, input_->Next());
      if (!found) return false;
      model::Value scratch;
      ORRERY_ASSIGN(const model::Value* holds, condition_.Evaluate(frame_.frame(), scratch));
      if (holds->kind() == model::Kind::kBool && holds->AsBool()) return true;
    }
  }

 private:
  const RowOperatorPtr input_;
  const Evaluator& condition_;
  RowFrame& frame_;
};

}  // namespace

RowOperatorPtr OneRow() { return std::make_unique<OneRowOperator>(); }

RowOperatorPtr Documents(DocumentSource& documents, uint32_t slot, RowFrame& frame) {
  return std::make_unique<DocumentsOperator>(documents, slot, frame);
}

RowOperatorPtr Filter(RowOperatorPtr input, const Evaluator& condition, RowFrame& frame) {
  return std::make_unique<FilterOperator>(std::move(input), condition, frame);
}

RowOperatorPtr RowsOf(const OperatorPlan& plan, DocumentSource* documents, RowFrame& frame) {
  RowOperatorPtr rows = OneRow();
  for (const SourceStep& source : plan.sources) {
    if (source.kind == SourceStep::Kind::kDocuments) {
      ORRERY_CHECK(documents != nullptr);
      rows = Documents(*documents, source.slot, frame);
    } else {
      rows = Unwind(std::move(rows), source, documents, frame);
    }
  }
  if (plan.where != nullptr) rows = Filter(std::move(rows), *plan.where, frame);
  return rows;
}

}  // namespace orrery::query
