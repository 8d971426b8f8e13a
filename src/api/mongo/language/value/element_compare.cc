#include "api/mongo/language/value/element_compare.h"

#include <cmath>

#include "model/compare.h"
#include "model/number/exact_number.h"
#include "model/type_class.h"

namespace orrery::mongo {

using model::ElementView;
using model::Kind;
using model::Value;

bool IsSameType(Kind a, Kind b) {
  return a == b ||
         model::ClassOf(a, model::Order::kMongo) == model::ClassOf(b, model::Order::kMongo);
}

std::weak_ordering CompareElement(const ElementView& element, const Value& value,
                                  const Collator* collator) {
  const Kind kind = element.kind();
  if (kind == value.kind()) {
    if (kind == Kind::kInt32 || kind == Kind::kInt64) {
      return element.AsInteger() <=> value.AsInteger();
    }
    if (kind == Kind::kDouble) {
      const double a = element.AsDouble();
      const double b = value.AsDouble();
      if (a < b) return std::weak_ordering::less;
      if (a > b) return std::weak_ordering::greater;
      if (a == b) return std::weak_ordering::equivalent;
      return std::isnan(b) <=> std::isnan(a);
    }
    if (kind == Kind::kString && collator == nullptr) {
      return element.AsString().compare(value.AsString()) <=> 0;
    }
  }
  return CompareValues(element.ToValue(), value, collator);
}

bool IsNan(const Value& value) {
  if (value.kind() == Kind::kDouble) return std::isnan(value.AsDouble());
  return value.kind() == Kind::kDecimal128 &&
         model::ToExactNumber(value).sign == model::ExactNumber::Sign::kNan;
}

}  // namespace orrery::mongo
