// An Operand is a value that an expression is being evaluated with: an element in its document's
// bytes, a value that the expression has, or one that was made. Numbers, strings and booleans are
// compared where they are; only arrays, objects and what only some APIs write are decoded for it.
//
// Comparisons are those of model/sql/comparison.h.
//
// Not thread-safe. An element's bytes, or the value, must outlive it.
#pragma once

#include <compare>
#include <optional>
#include <string_view>
#include <utility>

#include "model/document/document.h"
#include "model/sql/json_type.h"
#include "model/sql/truth.h"
#include "model/value.h"

namespace orrery::model {

class Operand {
 public:
  Operand() = default;  // undefined
  explicit Operand(const std::optional<ElementView>& element) : element_(element) {
    if (element_.has_value()) kind_ = element_->kind();
  }
  explicit Operand(const Value& value) : value_(&value), kind_(value.kind()) {}
  explicit Operand(Value&& made) : made_(std::move(made)), kind_(made_.kind()) {}

  Kind kind() const { return kind_; }
  sql::JsonType type() const { return sql::TypeOf(kind_); }
  bool is_undefined() const { return kind_ == Kind::kUndefined; }
  // The element in the document's bytes; null if it is a value.
  const ElementView* element() const { return element_.has_value() ? &*element_ : nullptr; }

  // Each REQUIRES the type that it names.
  bool AsBool() const { return element_.has_value() ? element_->AsBool() : value().AsBool(); }
  double AsNumber() const;
  std::string_view AsText() const;
  // Decodes the element, if it is one.
  const Value& value() const;

 private:
  std::optional<ElementView> element_;
  const Value* value_ = nullptr;
  mutable Value made_;  // also an element that was decoded
  mutable bool is_decoded_ = false;
  Kind kind_ = Kind::kUndefined;
};

// Returns whether it is exactly true or false.
inline sql::Truth TruthOf(const Operand& operand) {
  return operand.kind() == Kind::kBool ? sql::TruthOf(operand.AsBool()) : sql::Truth::kUndefined;
}

class Expression;
// The value of `expression` on `document`, decoded only if it was made. Both must outlive it.
Operand EvaluateOperand(const Expression& expression, DocumentView document);

sql::Truth Equal(const Operand& a, const Operand& b);
// Returns nullopt if the two have no order: they are of different types, arrays or objects.
std::optional<std::partial_ordering> OrderOf(const Operand& a, const Operand& b);

}  // namespace orrery::model
