// $convert and its short forms, $type, $isNumber; and $mergeObjects, $objectToArray, sizes.
#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <map>

#include "api/mongo/language/expression/date_text.h"
#include "api/mongo/language/expression/date_time.h"
#include "api/mongo/language/expression/expression_parser.h"
#include "api/mongo/language/expression/operator_table.h"
#include "api/mongo/language/value/bson_type_name.h"
#include "api/mongo/language/value/number.h"
#include "model/document/document_builder.h"
#include "model/number/decimal128.h"
#include "model/number/number.h"
#include "model/value_text.h"

namespace orrery::mongo {
namespace {

using model::Field;
using model::Kind;
using model::Value;
using model::Values;

std::unexpected<MongoError> NotConvertible(const Value& value, Kind to) {
  return Refuse(
      ErrorCode::kConversionFailure,
      fmt::format("Unsupported conversion from {} to {} in $convert with no onError value",
                  BsonTypeName(value.kind()), BsonTypeName(to)));
}

std::unexpected<MongoError> BadNumber(const std::string& text, std::string_view why) {
  return Refuse(
      ErrorCode::kConversionFailure,
      fmt::format("Failed to parse number '{}' in $convert with no onError value: {}", text, why));
}

std::unexpected<MongoError> TooLarge(const Value& value) {
  return Refuse(
      ErrorCode::kConversionFailure,
      fmt::format("Conversion would overflow target type in $convert with no onError value: "
                  "{}",
                  model::ToText(value)));
}

Answer<Value> IntegerOf(const Value& value, Kind to) {
  std::optional<int64_t> number;
  if (value.is_number()) {
    if (value.kind() == Kind::kDouble && !std::isfinite(value.AsDouble())) {
      return Refuse(ErrorCode::kConversionFailure,
                    "Attempt to convert NaN or infinity value to integer type in $convert with no "
                    "onError value");
    }
    number = TruncatedInt64(value);
  } else if (value.kind() == Kind::kBool) {
    number = value.AsBool() ? 1 : 0;
  } else if (value.kind() == Kind::kDateTime && to == Kind::kInt64) {
    number = value.AsDateTime();
  } else if (value.kind() == Kind::kString) {
    const std::string& text = value.AsString();
    int64_t parsed = 0;
    const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
    const auto [end, error] = std::from_chars(begin, text.data() + text.size(), parsed);
    if (error == std::errc::result_out_of_range) return BadNumber(text, "Overflow");
    if (text.empty()) return BadNumber(text, "No digits");
    if (error != std::errc() || end != text.data() + text.size()) {
      return BadNumber(text, error != std::errc()
                                 ? "Bad digit \"" + text.substr(0, 1) + "\" while parsing " + text
                                 : "Did not consume whole string.");
    }
    number = parsed;
    if (to == Kind::kInt32 && parsed != static_cast<int32_t>(parsed)) {
      return BadNumber(text, "Overflow");
    }
  } else {
    return NotConvertible(value, to);
  }
  if (!number.has_value() || (to == Kind::kInt32 && *number != static_cast<int32_t>(*number))) {
    return TooLarge(value);
  }
  return to == Kind::kInt32 ? Value::Int32(static_cast<int32_t>(*number)) : Value::Int64(*number);
}

Answer<Value> DoubleOf(const Value& value) {
  if (value.is_number()) {
    const double number = model::ToDouble(value);
    if (value.kind() == Kind::kDecimal128 && std::isinf(number) &&
        !model::IsInfinite(value.AsDecimal128())) {
      return TooLarge(value);
    }
    return Value::Double(number);
  }
  if (value.kind() == Kind::kBool) return Value::Double(value.AsBool() ? 1 : 0);
  if (value.kind() == Kind::kDateTime)
    return Value::Double(static_cast<double>(value.AsDateTime()));
  if (value.kind() != Kind::kString) return NotConvertible(value, Kind::kDouble);
  const std::string& text = value.AsString();
  double number = 0;
  const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), number);
  if (text.empty()) return BadNumber(text, "Empty string");
  if (error != std::errc() || end != text.data() + text.size()) {
    return BadNumber(text, "Did not consume whole string.");
  }
  return Value::Double(number);
}

Answer<Value> DecimalOf(const Value& value) {
  if (value.kind() == Kind::kDouble) {
    return Value::Decimal128(model::Decimal128FromDouble(value.AsDouble(), 15));
  }
  if (value.is_number()) return Value::Decimal128(ToDecimal(value));
  if (value.kind() == Kind::kBool) {
    return Value::Decimal128(model::Decimal128FromInt(value.AsBool() ? 1 : 0));
  }
  if (value.kind() == Kind::kDateTime) {
    return Value::Decimal128(model::Decimal128FromInt(value.AsDateTime()));
  }
  if (value.kind() != Kind::kString) return NotConvertible(value, Kind::kDecimal128);
  const std::optional<model::Decimal128Bits> parsed = model::Decimal128FromText(value.AsString());
  if (!parsed.has_value()) return BadNumber(value.AsString(), "Failed to parse string to decimal");
  return Value::Decimal128(*parsed);
}

std::string DoubleText(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number > 0 ? "Infinity" : "-Infinity";
  return fmt::format("{:.6g}", number);  // six digits, as MongoDB prints them
}

std::string HexText(const model::ObjectIdBytes& id) {
  std::string text;
  for (const uint8_t byte : id) text += fmt::format("{:02x}", byte);
  return text;
}

Answer<Value> StringOf(const Value& value) {
  switch (value.kind()) {
    case Kind::kString:
      return value;
    case Kind::kSymbol:
      return Value::String(value.AsString());
    case Kind::kBool:
      return Value::String(value.AsBool() ? "true" : "false");
    case Kind::kInt32:
    case Kind::kInt64:
      return Value::String(std::to_string(value.AsInteger()));
    case Kind::kDouble:
      return Value::String(DoubleText(value.AsDouble()));
    case Kind::kDecimal128:
      return Value::String(model::FormatDecimal128(value.AsDecimal128()));
    case Kind::kObjectId:
      return Value::String(HexText(value.AsObjectId()));
    case Kind::kDateTime:
      return Value::String(model::FormatDateTime(value.AsDateTime()));
    default:
      return NotConvertible(value, Kind::kString);
  }
}

Answer<Value> ObjectIdOf(const Value& value) {
  if (value.kind() == Kind::kObjectId) return value;
  if (value.kind() != Kind::kString) return NotConvertible(value, Kind::kObjectId);
  const std::string& text = value.AsString();
  model::ObjectIdBytes id{};
  bool is_valid = text.size() == 24;
  for (size_t i = 0; is_valid && i < id.size(); ++i) {
    const auto [end, error] = std::from_chars(&text[2 * i], &text[2 * i] + 2, id[i], 16);
    is_valid = error == std::errc() && end == &text[2 * i] + 2;
  }
  if (!is_valid) {
    return Refuse(
        ErrorCode::kConversionFailure,
        fmt::format("Failed to parse objectId '{}' in $convert with no onError value: {}", text,
                    text.size() == 24
                        ? "Invalid character found in hex string"
                        : fmt::format("Invalid string length for parsing to OID, expected 24 "
                                      "but found {}",
                                      text.size())));
  }
  return Value::ObjectId(id);
}

Answer<Value> DateOf(const Value& value) {
  switch (value.kind()) {
    case Kind::kDateTime:
      return value;
    case Kind::kInt64:
    case Kind::kDouble:
    case Kind::kDecimal128: {
      const std::optional<int64_t> ms = TruncatedInt64(value);
      if (!ms.has_value()) return TooLarge(value);
      return Value::DateTime(*ms);
    }
    case Kind::kTimestamp:
      return Value::DateTime(int64_t{value.AsTimestamp().seconds} * 1000);
    case Kind::kObjectId: {
      const model::ObjectIdBytes& id = value.AsObjectId();
      const uint32_t seconds =
          uint32_t{id[0]} << 24 | uint32_t{id[1]} << 16 | uint32_t{id[2]} << 8 | id[3];
      // As mongod: seconds are signed here.
      return Value::DateTime(int64_t{static_cast<int32_t>(seconds)} * 1000);
    }
    case Kind::kString: {
      MONGO_ASSIGN(const int64_t ms,
                   DateOfText(value.AsString(), std::nullopt, std::nullopt, false));
      return Value::DateTime(ms);
    }
    default:
      return NotConvertible(value, Kind::kDateTime);
  }
}

Answer<Value> BoolOf(const Value& value) {
  if (value.is_number() || value.kind() == Kind::kBool) return Value::Bool(IsTrue(value));
  switch (value.kind()) {
    case Kind::kString:
    case Kind::kObjectId:
    case Kind::kDateTime:
    case Kind::kObject:
    case Kind::kArray:
    case Kind::kBinary:
    case Kind::kTimestamp:
    case Kind::kRegex:
    case Kind::kJavaScript:
    case Kind::kMinKey:
    case Kind::kMaxKey:
      return Value::Bool(true);
    default:
      return NotConvertible(value, Kind::kBool);
  }
}

Answer<Value> ConvertTo(const Value& value, Kind to) {
  if (IsNullish(value)) return Value::Null();
  switch (to) {
    case Kind::kInt32:
    case Kind::kInt64:
      return IntegerOf(value, to);
    case Kind::kDouble:
      return DoubleOf(value);
    case Kind::kDecimal128:
      return DecimalOf(value);
    case Kind::kString:
      return StringOf(value);
    case Kind::kObjectId:
      return ObjectIdOf(value);
    case Kind::kDateTime:
      return DateOf(value);
    case Kind::kBool:
      return BoolOf(value);
    default:
      return NotConvertible(value, to);
  }
}

Answer<Value> ShortConvert(const Call& call) {
  static const std::map<std::string_view, Kind> kinds = {
      {"$toInt", Kind::kInt32},     {"$toLong", Kind::kInt64},
      {"$toDouble", Kind::kDouble}, {"$toDecimal", Kind::kDecimal128},
      {"$toString", Kind::kString}, {"$toObjectId", Kind::kObjectId},
      {"$toDate", Kind::kDateTime}, {"$toBool", Kind::kBool}};
  return ConvertTo(call[0], kinds.at(call.name));
}

// onError and onNull are evaluated only when they are needed.
class ConvertExpression final : public Expression {
 public:
  Answer<Value> Evaluate(Evaluation& evaluation) const override {
    MONGO_ASSIGN(const Value value, input->Evaluate(evaluation));
    MONGO_ASSIGN(const Value target, to->Evaluate(evaluation));
    std::optional<Kind> kind;
    if (target.kind() == Kind::kString) {
      kind = KindOfTypeName(target.AsString());
    } else if (target.is_number()) {
      kind = KindOfTypeNumber(ExactInt64(target).value_or(0));
    } else if (!IsNullish(target)) {
      return Refuse(ErrorCode::kFailedToParse,
                    fmt::format("$convert's 'to' argument must be a string or number, but is {}",
                                BsonTypeName(target.kind())));
    }
    if (IsNullish(value)) {
      return on_null == nullptr ? Answer<Value>(Value::Null()) : on_null->Evaluate(evaluation);
    }
    if (IsNullish(target)) return Value::Null();
    if (!kind.has_value()) {
      return Refuse(ErrorCode::kBadValue,
                    fmt::format("Unknown type name: {}", model::ToText(target)));
    }
    Answer<Value> converted = ConvertTo(value, *kind);
    if (converted.has_value() || on_error == nullptr) return converted;
    return on_error->Evaluate(evaluation);
  }

  ExpressionPtr input;
  ExpressionPtr to;
  ExpressionPtr on_error;
  ExpressionPtr on_null;
};

Answer<ExpressionPtr> ParseConvert(ExpressionParser& parser, const std::string&,
                                   const Value& argument) {
  if (argument.kind() != Kind::kObject) {
    return Refuse(ErrorCode::kFailedToParse,
                  fmt::format("$convert expects an object of named arguments but found: {}",
                              BsonTypeName(argument.kind())));
  }
  auto convert = std::make_shared<ConvertExpression>();
  for (const Field& field : argument.AsFields()) {
    ExpressionPtr* part = field.name == "input"     ? &convert->input
                          : field.name == "to"      ? &convert->to
                          : field.name == "onError" ? &convert->on_error
                          : field.name == "onNull"  ? &convert->on_null
                                                    : nullptr;
    if (part == nullptr) {
      return Refuse(ErrorCode::kFailedToParse,
                    fmt::format("$convert found an unknown argument: {}", field.name));
    }
    MONGO_ASSIGN(*part, parser.Parse(field.value));
  }
  if (convert->input == nullptr) {
    return Refuse(ErrorCode::kFailedToParse, "Missing 'input' parameter to $convert");
  }
  if (convert->to == nullptr) {
    return Refuse(ErrorCode::kFailedToParse, "Missing 'to' parameter to $convert");
  }
  return Folded(convert, {convert->input, convert->to, convert->on_error, convert->on_null},
                parser.context());
}

Answer<Value> TypeOf(const Call& call) {
  return Value::String(std::string(BsonTypeName(call[0].kind())));
}
Answer<Value> IsNumberValue(const Call& call) { return Value::Bool(call[0].is_number()); }

Answer<Value> MergeObjects(const Call& call) {
  model::Fields fields;
  const std::span<const Value> objects = call.size() == 1 && call[0].kind() == Kind::kArray
                                             ? std::span<const Value>(call[0].AsValues())
                                             : call.arguments;
  for (const Value& object : objects) {
    if (IsNullish(object)) continue;
    if (object.kind() != Kind::kObject) {
      return Refuse(40400,
                    fmt::format("$mergeObjects requires object inputs, but input {} is of type "
                                "{}",
                                model::ToText(object), BsonTypeName(object.kind())));
    }
    for (const Field& field : object.AsFields()) {
      const auto same = std::ranges::find(fields, field.name, &Field::name);
      if (same == fields.end()) {
        fields.push_back(field);
      } else {
        same->value = field.value;
      }
    }
  }
  return Value::Object(std::move(fields));
}

Answer<Value> ObjectToArray(const Call& call) {
  if (IsNullish(call[0])) return Value::Null();
  if (call[0].kind() != Kind::kObject) {
    return Refuse(40390, fmt::format("$objectToArray requires a document input, found: {}",
                                     BsonTypeName(call[0].kind())));
  }
  Values entries;
  for (const Field& field : call[0].AsFields()) {
    entries.push_back(Value::Object({{"k", Value::String(field.name)}, {"v", field.value}}));
  }
  return Value::Array(std::move(entries));
}

Answer<Value> BsonSize(const Call& call) {
  if (IsNullish(call[0])) return Value::Null();
  if (call[0].kind() != Kind::kObject) {
    return Refuse(31393, fmt::format("$bsonSize requires a document input, found: {}",
                                     BsonTypeName(call[0].kind())));
  }
  return Value::Int32(static_cast<int32_t>(model::ToDocument(call[0]).bson().size()));
}

Answer<Value> BinarySize(const Call& call) {
  if (IsNullish(call[0])) return Value::Null();
  if (call[0].kind() == Kind::kString) {
    return Value::Int32(static_cast<int32_t>(call[0].AsString().size()));
  }
  if (call[0].kind() == Kind::kBinary) {
    return Value::Int32(static_cast<int32_t>(call[0].AsBytes().size()));
  }
  return Refuse(51276, fmt::format("$binarySize requires a string or BinData argument, found: {}",
                                   BsonTypeName(call[0].kind())));
}

Answer<Value> TimestampPart(const Call& call) {
  if (IsNullish(call[0])) return Value::Null();
  if (call[0].kind() != Kind::kTimestamp) {
    return Refuse(call.name == "$tsSecond" ? 5687301 : 5687302,
                  fmt::format(" Argument to {} must be a timestamp, but is {}", call.name,
                              BsonTypeName(call[0].kind())));
  }
  const model::BsonTimestamp timestamp = call[0].AsTimestamp();
  return Value::Int64(call.name == "$tsSecond" ? timestamp.seconds : timestamp.increment);
}

Answer<Value> Rand(const Call& call) {
  return Value::Double(call.context.random == nullptr ? 0 : call.context.random->Next());
}

constexpr ListOperator kConversionOperators[] = {
    {"$toInt", 1, 1, ShortConvert},
    {"$toLong", 1, 1, ShortConvert},
    {"$toDouble", 1, 1, ShortConvert},
    {"$toDecimal", 1, 1, ShortConvert},
    {"$toString", 1, 1, ShortConvert},
    {"$toObjectId", 1, 1, ShortConvert},
    {"$toDate", 1, 1, ShortConvert},
    {"$toBool", 1, 1, ShortConvert},
    {"$type", 1, 1, TypeOf},
    {"$isNumber", 1, 1, IsNumberValue},
    {"$tsSecond", 1, 1, TimestampPart},
    {"$tsIncrement", 1, 1, TimestampPart},
};

constexpr ListOperator kObjectOperators[] = {
    {"$mergeObjects", 0, kAnyArguments, MergeObjects},
    {"$objectToArray", 1, 1, ObjectToArray},
    {"$bsonSize", 1, 1, BsonSize},
    {"$binarySize", 1, 1, BinarySize},
    {"$rand", 0, 1, Rand, false},
};

constexpr SpecialOperator kConvertOperators[] = {{"$convert", ParseConvert}};

}  // namespace

std::span<const ListOperator> ConversionOperators() { return kConversionOperators; }
std::span<const ListOperator> ObjectOperators() { return kObjectOperators; }
std::span<const SpecialOperator> ConvertOperators() { return kConvertOperators; }

}  // namespace orrery::mongo
