#include <fmt/core.h>

#include <cmath>
#include <optional>

#include "api/mongo/language/expression/expression.h"
#include "api/mongo/language/update/modifier.h"
#include "api/mongo/language/value/bson_type_name.h"
#include "api/mongo/language/value/collator.h"
#include "api/mongo/language/value/number.h"
#include "api/mongo/language/value/print.h"
#include "model/number/number.h"

namespace orrery::mongo {

using model::Field;
using model::Kind;
using model::Value;

std::string DocumentName(const Value& id) {
  return id.is_undefined() ? "{}" : "{" + PrintElement("_id", id) + "}";
}

namespace {

class SetModifier final : public Modifier {
 public:
  SetModifier(Value operand, bool is_on_insert)
      : operand_(std::move(operand)), is_on_insert_(is_on_insert) {}
  Answer<bool> Apply(Value& value, const ModifierSite&) const override {
    if (value == operand_) return false;
    value = operand_;
    return true;
  }
  bool is_on_insert() const override { return is_on_insert_; }

 private:
  Value operand_;
  bool is_on_insert_;
};

class UnsetModifier final : public Modifier {
 public:
  Answer<bool> Apply(Value& value, const ModifierSite&) const override {
    const bool was_there = !value.is_undefined();
    value = Value::Undefined();
    return was_there;
  }
  bool creates() const override { return false; }
  bool removes() const override { return true; }
};

bool IsNan(const Value& number) { return std::isnan(model::ToDouble(number)); }

// $inc and $mul.
class ArithmeticModifier final : public Modifier {
 public:
  ArithmeticModifier(Value operand, bool is_multiply)
      : operand_(std::move(operand)), is_multiply_(is_multiply) {}

  Answer<bool> Apply(Value& value, const ModifierSite& site) const override {
    const std::string_view name = is_multiply_ ? "$mul" : "$inc";
    if (value.is_undefined()) {
      // Zero of the operand's type.
      value = is_multiply_ ? MultiplyNumbers(operand_, Value::Int32(0)) : operand_;
      return true;
    }
    if (!value.is_number()) {
      return Refuse(
          ErrorCode::kTypeMismatch,
          fmt::format("Cannot apply {} to a value of non-numeric type. {} has the field "
                      "'{}' of non-numeric type {}",
                      name, DocumentName(site.id), site.field, BsonTypeName(value.kind())));
    }
    std::optional<Value> result =
        is_multiply_ ? MultiplyChecked(value, operand_) : AddChecked(value, operand_);
    if (!result.has_value()) {
      return Refuse(ErrorCode::kBadValue,
                    fmt::format("Failed to apply {} operations to current value (({}){}) for "
                                "document {}",
                                name, value.kind() == Kind::kInt64 ? "NumberLong" : "NumberInt",
                                PrintBson(value), DocumentName(site.id)));
    }
    // An equal number of the same type is no change; NaN is equal to none.
    const bool is_same = result->kind() == value.kind() && !IsNan(*result) &&
                         CompareValues(*result, value, nullptr) == 0;
    if (!is_same) value = *std::move(result);
    return !is_same;
  }

 private:
  Value operand_;
  bool is_multiply_;
};

// $min and $max.
class ExtremeModifier final : public Modifier {
 public:
  ExtremeModifier(Value operand, bool is_max, std::shared_ptr<const Collator> collator)
      : operand_(std::move(operand)), is_max_(is_max), collator_(std::move(collator)) {}
  Answer<bool> Apply(Value& value, const ModifierSite&) const override {
    if (!value.is_undefined()) {
      const auto order = CompareValues(operand_, value, collator_.get());
      if (is_max_ ? order <= 0 : order >= 0) return false;
    }
    value = operand_;
    return true;
  }

 private:
  Value operand_;
  bool is_max_;
  std::shared_ptr<const Collator> collator_;
};

class CurrentDateModifier final : public Modifier {
 public:
  explicit CurrentDateModifier(bool is_timestamp) : is_timestamp_(is_timestamp) {}
  Answer<bool> Apply(Value& value, const ModifierSite& site) const override {
    value = is_timestamp_ ? Value::Timestamp(site.timestamp) : Value::DateTime(site.now_unix_ms);
    return true;
  }

 private:
  bool is_timestamp_;
};

// $bit with and, or, xor in the order they were written.
class BitModifier final : public Modifier {
 public:
  explicit BitModifier(model::Fields operations) : operations_(std::move(operations)) {}
  Answer<bool> Apply(Value& value, const ModifierSite& site) const override {
    if (!value.is_undefined() && value.kind() != Kind::kInt32 && value.kind() != Kind::kInt64) {
      return Refuse(
          ErrorCode::kBadValue,
          fmt::format("Cannot apply $bit to a value of non-integral type.{} has the "
                      "field {} of non-integer type {}",
                      PrintElement("_id", site.id), site.field, BsonTypeName(value.kind())));
    }
    int64_t bits = value.is_undefined() ? 0 : value.AsInteger();
    bool is_long = value.kind() == Kind::kInt64;
    for (const Field& operation : operations_) {
      const int64_t operand = operation.value.AsInteger();
      is_long = is_long || operation.value.kind() == Kind::kInt64;
      bits = operation.name == "and"  ? bits & operand
             : operation.name == "or" ? bits | operand
                                      : bits ^ operand;
    }
    Value result = is_long ? Value::Int64(bits) : Value::Int32(static_cast<int32_t>(bits));
    const bool is_changed = result != value;
    value = std::move(result);
    return is_changed;
  }

 private:
  model::Fields operations_;
};

Answer<ModifierPtr> ParseArithmetic(const std::string& name, const std::string& path,
                                    const Value& operand) {
  if (!operand.is_number()) {
    return Refuse(
        ErrorCode::kTypeMismatch,
        fmt::format("Cannot {} with non-numeric argument: {{{}}}",
                    name == "$inc" ? "increment" : "multiply", PrintElement(path, operand)));
  }
  return std::make_shared<ArithmeticModifier>(operand, name == "$mul");
}

Answer<ModifierPtr> ParseCurrentDate(const Value& operand) {
  if (operand.kind() == Kind::kBool) return std::make_shared<CurrentDateModifier>(false);
  if (operand.kind() != Kind::kObject) {
    return Refuse(ErrorCode::kBadValue,
                  fmt::format("{} is not valid type for $currentDate. Please use a boolean "
                              "('true') or a $type expression ({{$type: 'timestamp/date'}}).",
                              BsonTypeName(operand.kind())));
  }
  bool is_timestamp = false;
  bool has_type = false;
  for (const Field& field : operand.AsFields()) {
    if (field.name != "$type") {
      return Refuse(ErrorCode::kBadValue,
                    fmt::format("Unrecognized $currentDate option: {}", field.name));
    }
    has_type = field.value.kind() == Kind::kString &&
               (field.value.AsString() == "date" || field.value.AsString() == "timestamp");
    is_timestamp = has_type && field.value.AsString() == "timestamp";
  }
  if (!has_type) {
    return Refuse(ErrorCode::kBadValue,
                  "The '$type' string field is required to be 'date' or 'timestamp': "
                  "{$currentDate: {field : {$type: 'date'}}}");
  }
  return std::make_shared<CurrentDateModifier>(is_timestamp);
}

Answer<ModifierPtr> ParseBit(const std::string& path, const Value& operand) {
  if (operand.kind() != Kind::kObject) {
    return Refuse(ErrorCode::kBadValue,
                  fmt::format("The $bit modifier is not compatible with a {}. You must pass in an "
                              "embedded document: {{$bit: {{field: {{and/or/xor: #}}}}",
                              BsonTypeName(operand.kind())));
  }
  if (operand.AsFields().empty()) {
    return Refuse(ErrorCode::kBadValue,
                  "You must pass in at least one bitwise operation. The format is: {$bit: {field: "
                  "{and/or/xor: #}}");
  }
  for (const Field& field : operand.AsFields()) {
    if (field.name != "and" && field.name != "or" && field.name != "xor") {
      return Refuse(ErrorCode::kBadValue,
                    fmt::format("The $bit modifier only supports 'and', 'or', and 'xor', not '{}' "
                                "which is an unknown operator: {{{}}}",
                                field.name, PrintElement(field.name, field.value)));
    }
    if (field.value.kind() != Kind::kInt32 && field.value.kind() != Kind::kInt64) {
      return Refuse(ErrorCode::kBadValue,
                    fmt::format("The $bit modifier field must be an Integer(32/64 bit); a '{}' is "
                                "not supported here: {{{}}}",
                                BsonTypeName(field.value.kind()), PrintElement(path, operand)));
    }
  }
  return std::make_shared<BitModifier>(operand.AsFields());
}

}  // namespace

Answer<ModifierPtr> ParseFieldModifier(const std::string& name, const std::string& path,
                                       const Value& operand, const QueryContext& context) {
  if (name == "$set") return std::make_shared<SetModifier>(operand, false);
  if (name == "$setOnInsert") return std::make_shared<SetModifier>(operand, true);
  if (name == "$unset") return std::make_shared<UnsetModifier>();
  if (name == "$inc" || name == "$mul") return ParseArithmetic(name, path, operand);
  if (name == "$min" || name == "$max") {
    return std::make_shared<ExtremeModifier>(operand, name == "$max", context.collator);
  }
  if (name == "$currentDate") return ParseCurrentDate(operand);
  if (name == "$bit") return ParseBit(path, operand);
  return nullptr;
}

}  // namespace orrery::mongo
