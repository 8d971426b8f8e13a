// FROM and JOIN: the values that a source has for each row before it.
#include <optional>
#include <utility>

#include "query/operator/pipeline.h"
#include "query/operator/row_operators.h"

namespace orrery::query {
namespace {

using model::Value;

class UnwindOperator final : public RowOperator {
 public:
  UnwindOperator(RowOperatorPtr input, const SourceStep& source, DocumentSource* documents,
                 RowFrame& frame)
      : input_(std::move(input)), source_(source), documents_(documents), frame_(frame) {}

  Result<bool> Next() override {
    while (true) {
      if (elements_ != nullptr && next_ < elements_->size()) {
        frame_.Set(source_.slot, (*elements_)[next_++]);
        ORRERY_TRY(frame_.CountRow());
        return true;
      }
      elements_ = nullptr;
      ORRERY_ASSIGN(const Value* value, NextValue());
      if (value == nullptr) return false;
      if (source_.is_iterated) {
        elements_ = value->kind() == model::Kind::kArray ? &value->AsValues() : nullptr;
        next_ = 0;
      } else if (!value->is_undefined()) {
        frame_.Set(source_.slot, *value);
        ORRERY_TRY(frame_.CountRow());
        return true;
      }
    }
  }

 private:
  // Null when there are no more.
  Result<const Value*> NextValue() {
    while (true) {
      if (rows_.has_value()) {
        ORRERY_ASSIGN(const bool found, rows_->Next(row_));
        if (found) return &row_.value;
        rows_.reset();
      }
      ORRERY_ASSIGN(const bool found, input_->Next());
      if (!found) return nullptr;
      if (source_.kind == SourceStep::Kind::kValue)
        return source_.value->Evaluate(frame_.frame(), row_.value);
      rows_.emplace(*source_.query, frame_.frame(), documents_, frame_.limits());
    }
  }

  const RowOperatorPtr input_;
  const SourceStep& source_;
  DocumentSource* const documents_;
  RowFrame& frame_;
  std::optional<Pipeline> rows_;  // of a subquery
  OutputRow row_;                 // its row, or what an expression made
  const model::Values* elements_ = nullptr;
  size_t next_ = 0;
};

}  // namespace

RowOperatorPtr Unwind(RowOperatorPtr input, const SourceStep& source, DocumentSource* documents,
                      RowFrame& frame) {
  return std::make_unique<UnwindOperator>(std::move(input), source, documents, frame);
}

}  // namespace orrery::query
