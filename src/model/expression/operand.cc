#include "model/expression/operand.h"

#include "model/number/number.h"
#include "model/sql/comparison.h"

namespace orrery::model {

using sql::JsonType;
using sql::Truth;

double Operand::AsNumber() const {
  if (element_.has_value()) {
    if (kind_ == Kind::kInt32 || kind_ == Kind::kInt64)
      return static_cast<double>(element_->AsInteger());
    if (kind_ == Kind::kDouble) return element_->AsDouble();
  }
  return ToDouble(value());
}

std::string_view Operand::AsText() const {
  return element_.has_value() ? element_->AsString() : std::string_view(value().AsString());
}

const Value& Operand::value() const {
  if (value_ != nullptr) return *value_;
  if (element_.has_value() && !is_decoded_) {
    made_ = element_->ToValue();
    is_decoded_ = true;
  }
  return made_;
}

std::optional<std::partial_ordering> OrderOf(const Operand& a, const Operand& b) {
  const JsonType type = a.type();
  if (type != b.type()) return std::nullopt;
  switch (type) {
    case JsonType::kNull:
      return std::partial_ordering::equivalent;
    case JsonType::kBool:
      return a.AsBool() <=> b.AsBool();
    case JsonType::kNumber:
      return a.AsNumber() <=> b.AsNumber();
    case JsonType::kString:
      return a.AsText() <=> b.AsText();
    default:
      return std::nullopt;
  }
}

Truth Equal(const Operand& a, const Operand& b) {
  const JsonType type = a.type();
  if (type == JsonType::kUndefined || type != b.type()) return Truth::kUndefined;
  if (const auto order = OrderOf(a, b)) return sql::TruthOf(*order == 0);
  return sql::TruthOf(sql::DeepEqual(a.value(), b.value()));
}

}  // namespace orrery::model
