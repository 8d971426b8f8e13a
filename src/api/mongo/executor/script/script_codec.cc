#include "api/mongo/executor/script/script_codec.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <string_view>

#include "gateway/account/base64.h"
#include "model/document/document_builder.h"
#include "model/document/json.h"
#include "model/number/decimal128.h"

namespace orrery::mongo {
namespace {

using model::Kind;
using model::Value;

constexpr std::string_view kHexDigits = "0123456789abcdef";

std::unexpected<MongoError> MalformedScriptValue() {
  return Refuse(ErrorCode::kJsInterpreterFailure, "the function returned a malformed value");
}

void AppendTagged(std::string& out, std::string_view tag, std::string_view text) {
  out += "{\"";
  out += tag;
  out += "\":";
  model::AppendJsonString(out, text);
  out += '}';
}

// JSON has neither NaN nor infinities, and reads -0 as an integer.
void AppendScriptDouble(std::string& out, double number) {
  if (std::isnan(number)) {
    AppendTagged(out, "d", "NaN");
  } else if (std::isinf(number)) {
    AppendTagged(out, "d", number > 0 ? "Infinity" : "-Infinity");
  } else if (number == 0 && std::signbit(number)) {
    AppendTagged(out, "d", "-0");
  } else {
    out += fmt::format("{}", number);
  }
}

// {"$numberDecimal": "1.5"}: its text.
std::string DecimalDigits(const Value& decimal) {
  const auto parsed = model::ParseJson(model::ToJson(decimal));
  if (!parsed.has_value()) return "NaN";
  const Value text = parsed->view().Get("$numberDecimal");
  return text.kind() == Kind::kString ? text.AsString() : "NaN";
}

std::string HexOf(const model::ObjectIdBytes& id) {
  std::string hex;
  for (const uint8_t byte : id) {
    hex += kHexDigits[byte >> 4];
    hex += kHexDigits[byte & 15];
  }
  return hex;
}

Answer<Value> ObjectIdOf(std::string_view hex) {
  model::ObjectIdBytes id{};
  if (hex.size() != 2 * id.size()) return MalformedScriptValue();
  for (size_t i = 0; i < id.size(); ++i) {
    const auto read = std::from_chars(hex.data() + 2 * i, hex.data() + 2 * i + 2, id[i], 16);
    if (read.ec != std::errc() || read.ptr != hex.data() + 2 * i + 2) return MalformedScriptValue();
  }
  return Value::ObjectId(id);
}

double NumberOf(const Value& number) {
  return number.kind() == Kind::kDouble ? number.AsDouble()
                                        : static_cast<double>(number.AsInteger());
}

// A value that scripts only handed on, as its BSON in base64.
std::string OpaqueOf(const Value& value) {
  model::DocumentBuilder holder;
  holder.Append("v", value);
  return gateway::ToBase64(std::move(holder).Finish().bson());
}

Answer<Value> ReadTagged(std::string_view tag, const Value& value) {
  const bool is_text = value.kind() == Kind::kString;
  const auto element = [&](size_t at, Kind kind) -> const Value* {
    if (value.kind() != Kind::kArray || value.AsValues().size() != 2) return nullptr;
    const Value& found = value.AsValues()[at];
    const bool fits = kind == Kind::kDouble ? found.is_number() : found.kind() == kind;
    return fits ? &found : nullptr;
  };
  if (tag == "o" && value.kind() == Kind::kArray && value.AsValues().size() % 2 == 0) {
    model::Fields fields;
    const model::Values& list = value.AsValues();
    for (size_t i = 0; i < list.size(); i += 2) {
      if (list[i].kind() != Kind::kString || list[i].AsString().contains('\0'))
        return MalformedScriptValue();
      MONGO_ASSIGN(Value field, ReadScriptValue(list[i + 1]));
      if (field.is_undefined()) field = Value::Null();
      fields.push_back({list[i].AsString(), std::move(field)});
    }
    return Value::Object(std::move(fields));
  }
  if (tag == "i" && value.is_number()) return Value::Int32(static_cast<int32_t>(NumberOf(value)));
  if (tag == "t" && value.is_number())
    return Value::DateTime(static_cast<int64_t>(NumberOf(value)));
  if (tag == "min") return Value::MinKey();
  if (tag == "max") return Value::MaxKey();
  if (tag == "u") return Value::Undefined();
  if (tag == "d" && is_text) {
    const std::string& text = value.AsString();
    if (text == "-0") return Value::Double(-0.0);
    if (text == "NaN") return Value::Double(std::nan(""));
    return Value::Double(text.starts_with('-') ? -HUGE_VAL : HUGE_VAL);
  }
  if (tag == "l" && is_text) {
    int64_t number = 0;
    const std::string& text = value.AsString();
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size())
      return MalformedScriptValue();
    return Value::Int64(number);
  }
  if (tag == "n" && is_text) {
    const auto bits = model::Decimal128FromText(value.AsString());
    if (!bits.has_value()) {
      return Refuse(ErrorCode::kFailedToParse,
                    fmt::format("Input is not a valid Decimal128 value: {}", value.AsString()));
    }
    return Value::Decimal128(*bits);
  }
  if (tag == "id" && is_text) return ObjectIdOf(value.AsString());
  if (tag == "c" && is_text) return Value::JavaScript(value.AsString());
  if (tag == "r") {
    const Value* const pattern = element(0, Kind::kString);
    const Value* const flags = element(1, Kind::kString);
    if (pattern != nullptr && flags != nullptr)
      return Value::Regex(pattern->AsString(), flags->AsString());
  }
  if (tag == "ts") {
    const Value* const seconds = element(0, Kind::kDouble);
    const Value* const increment = element(1, Kind::kDouble);
    if (seconds != nullptr && increment != nullptr) {
      return Value::Timestamp(
          {static_cast<uint32_t>(NumberOf(*seconds)), static_cast<uint32_t>(NumberOf(*increment))});
    }
  }
  if (tag == "b") {
    const Value* const subtype = element(0, Kind::kDouble);
    const Value* const text = element(1, Kind::kString);
    std::string bytes;
    if (subtype != nullptr && text != nullptr && gateway::FromBase64(text->AsString(), bytes))
      return Value::Binary(std::move(bytes), static_cast<uint8_t>(NumberOf(*subtype)));
  }
  if (tag == "x" && is_text) {
    std::string bytes;
    if (gateway::FromBase64(value.AsString(), bytes)) {
      const auto holder = model::DocumentView::FromBson(bytes);
      if (holder.has_value()) return holder->Get("v");
    }
  }
  return MalformedScriptValue();
}

}  // namespace

void AppendScriptValue(std::string& out, const Value& value) {
  switch (value.kind()) {
    case Kind::kUndefined:
      out += R"({"u":1})";
      return;
    case Kind::kNull:
      out += "null";
      return;
    case Kind::kBool:
      out += value.AsBool() ? "true" : "false";
      return;
    case Kind::kInt32:
      out += fmt::format(R"({{"i":{}}})", value.AsInteger());
      return;
    case Kind::kInt64:
      out += fmt::format(R"({{"l":"{}"}})", value.AsInteger());
      return;
    case Kind::kDouble:
      return AppendScriptDouble(out, value.AsDouble());
    case Kind::kString:
    case Kind::kSymbol:
      return model::AppendJsonString(out, value.AsString());
    case Kind::kDecimal128:
      return AppendTagged(out, "n", DecimalDigits(value));
    case Kind::kDateTime:
      out += fmt::format(R"({{"t":{}}})", value.AsDateTime());
      return;
    case Kind::kObjectId:
      return AppendTagged(out, "id", HexOf(value.AsObjectId()));
    case Kind::kBinary:
      out += fmt::format(R"({{"b":[{},"{}"]}})", value.binary_subtype(),
                         gateway::ToBase64(value.AsBytes()));
      return;
    case Kind::kTimestamp:
      out += fmt::format(R"({{"ts":[{},{}]}})", value.AsTimestamp().seconds,
                         value.AsTimestamp().increment);
      return;
    case Kind::kRegex:
      out += R"({"r":[)";
      model::AppendJsonString(out, value.AsRegex().pattern);
      out += ',';
      model::AppendJsonString(out, value.AsRegex().options);
      out += "]}";
      return;
    case Kind::kJavaScript:
      return AppendTagged(out, "c", value.AsString());
    case Kind::kMinKey:
      out += R"({"min":1})";
      return;
    case Kind::kMaxKey:
      out += R"({"max":1})";
      return;
    case Kind::kArray: {
      out += '[';
      bool is_first = true;
      for (const Value& element : value.AsValues()) {
        if (!is_first) out += ',';
        is_first = false;
        AppendScriptValue(out, element);
      }
      out += ']';
      return;
    }
    case Kind::kObject: {
      out += R"({"o":[)";
      bool is_first = true;
      for (const model::Field& field : value.AsFields()) {
        if (!is_first) out += ',';
        is_first = false;
        model::AppendJsonString(out, field.name);
        out += ',';
        AppendScriptValue(out, field.value);
      }
      out += "]}";
      return;
    }
    default:
      return AppendTagged(out, "x", OpaqueOf(value));
  }
}

Answer<Value> ReadScriptValue(const Value& parsed) {
  switch (parsed.kind()) {
    case Kind::kNull:
    case Kind::kBool:
    case Kind::kString:
      return parsed;
    case Kind::kInt32:
    case Kind::kInt64:
    case Kind::kDouble:
      return Value::Double(NumberOf(parsed));
    case Kind::kArray: {
      model::Values elements;
      for (const Value& element : parsed.AsValues()) {
        MONGO_ASSIGN(Value read, ReadScriptValue(element));
        elements.push_back(read.is_undefined() ? Value::Null() : std::move(read));
      }
      return Value::Array(std::move(elements));
    }
    case Kind::kObject:
      if (parsed.AsFields().size() == 1)
        return ReadTagged(parsed.AsFields().front().name, parsed.AsFields().front().value);
      return MalformedScriptValue();
    default:
      return MalformedScriptValue();
  }
}

}  // namespace orrery::mongo
