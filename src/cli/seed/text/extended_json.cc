#include "cli/seed/text/extended_json.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "base/bytes.h"
#include "gateway/account/base64.h"
#include "model/document/document_builder.h"
#include "model/document/json.h"
#include "model/number/decimal128.h"
#include "model/time/date_time.h"

namespace orrery::cli {
namespace {

using model::Kind;
using model::Value;

std::unexpected<Error> RefuseExtended(std::string_view name) {
  return Fail(Code::kInvalidArgument, fmt::format("a value of {} is malformed", name));
}

std::optional<int64_t> WholeNumber(std::string_view text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

const std::string* TextIn(const Value* value) {
  return value != nullptr && value->kind() == Kind::kString ? &value->AsString() : nullptr;
}

std::optional<int64_t> WholeIn(const Value* value) {
  if (value == nullptr) return std::nullopt;
  if (value->kind() == Kind::kInt32 || value->kind() == Kind::kInt64) return value->AsInteger();
  if (const std::string* text = TextIn(value)) return WholeNumber(*text);
  if (const std::string* text = TextIn(value->Find("$numberLong"))) return WholeNumber(*text);
  return std::nullopt;
}

// "2024-05-01T10:00:00.5Z", also with an offset such as +02:00.
std::optional<int64_t> UnixMs(std::string_view text) {
  int64_t offset_minutes = 0;
  if (const size_t at = text.find_last_of("+-"); at != std::string_view::npos && at > 10) {
    std::string digits;
    for (const char c : text.substr(at + 1))
      if (c != ':') digits += c;
    const auto number = WholeNumber(digits);
    if (!number.has_value() || digits.size() != 4) return std::nullopt;
    offset_minutes = (*number / 100 * 60 + *number % 100) * (text[at] == '-' ? -1 : 1);
    text = text.substr(0, at);
  }
  const auto ticks = model::ParseTicks(text);
  if (!ticks.has_value()) return std::nullopt;
  const int64_t ms = *ticks / model::kTicksPerMillisecond - offset_minutes * 60'000;
  return ms - (*ticks % model::kTicksPerMillisecond < 0 ? 1 : 0);
}

std::optional<Value> DateFrom(const Value& value) {
  if (const std::string* text = TextIn(&value)) {
    const auto ms = UnixMs(*text);
    return ms.has_value() ? std::optional(Value::DateTime(*ms)) : std::nullopt;
  }
  const auto ms = WholeIn(&value);
  return ms.has_value() ? std::optional(Value::DateTime(*ms)) : std::nullopt;
}

std::optional<Value> BinaryFrom(const Value& object, const Value& value) {
  const std::string* text = TextIn(&value);
  const Value* type = object.Find("$type");
  if (value.kind() == Kind::kObject) {
    text = TextIn(value.Find("base64"));
    type = value.Find("subType");
  }
  std::string bytes;
  std::string subtype;
  if (text == nullptr || !gateway::FromBase64(*text, bytes)) return std::nullopt;
  if (const auto number = type != nullptr && type->kind() == Kind::kInt32
                              ? std::optional(type->AsInteger())
                              : std::nullopt)
    return number < 0 || number > 255
               ? std::nullopt
               : std::optional(Value::Binary(bytes, static_cast<uint8_t>(*number)));
  const std::string* hex = TextIn(type);
  if (hex == nullptr || !FromHex(hex->size() == 1 ? "0" + *hex : *hex, subtype) ||
      subtype.size() != 1)
    return std::nullopt;
  return Value::Binary(std::move(bytes), static_cast<uint8_t>(subtype[0]));
}

std::optional<Value> UuidFrom(std::string_view text) {
  std::string digits;
  for (const char c : text)
    if (c != '-') digits += c;
  std::string bytes;
  if (!FromHex(digits, bytes) || bytes.size() != 16) return std::nullopt;
  return Value::Binary(std::move(bytes), 4);
}

std::optional<Value> ObjectIdFrom(std::string_view text) {
  std::string bytes;
  model::ObjectIdBytes id{};
  if (!FromHex(text, bytes) || bytes.size() != id.size()) return std::nullopt;
  std::copy(bytes.begin(), bytes.end(), id.begin());
  return Value::ObjectId(id);
}

std::optional<Value> DoubleFrom(std::string_view text) {
  if (text == "NaN") return Value::Double(std::numeric_limits<double>::quiet_NaN());
  if (text == "Infinity") return Value::Double(std::numeric_limits<double>::infinity());
  if (text == "-Infinity") return Value::Double(-std::numeric_limits<double>::infinity());
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return Value::Double(number);
}

std::optional<Value> TimestampFrom(const Value& value) {
  const auto seconds = WholeIn(value.Find("t"));
  const auto increment = WholeIn(value.Find("i"));
  if (!seconds.has_value() || !increment.has_value()) return std::nullopt;
  return Value::Timestamp({static_cast<uint32_t>(*seconds), static_cast<uint32_t>(*increment)});
}

// An object whose first field's name begins with a dollar, if it is one of the known ones; nullopt
// with `is_known`: malformed.
std::optional<Value> Special(const Value& object, bool& is_known) {
  const model::Fields& fields = object.AsFields();
  const std::string& name = fields.front().name;
  const Value& value = fields.front().value;
  const std::string* text = TextIn(&value);
  is_known = true;
  if (name == "$oid") return text == nullptr ? std::nullopt : ObjectIdFrom(*text);
  if (name == "$date") return DateFrom(value);
  if (name == "$numberInt") {
    const auto number = WholeIn(&value);
    if (!number.has_value() || *number != static_cast<int32_t>(*number)) return std::nullopt;
    return Value::Int32(static_cast<int32_t>(*number));
  }
  if (name == "$numberLong") {
    const auto number = WholeIn(&value);
    return number.has_value() ? std::optional(Value::Int64(*number)) : std::nullopt;
  }
  if (name == "$numberDouble") return text == nullptr ? std::nullopt : DoubleFrom(*text);
  if (name == "$numberDecimal") {
    const auto bits = text == nullptr ? std::nullopt : model::Decimal128FromText(*text);
    return bits.has_value() ? std::optional(Value::Decimal128(*bits)) : std::nullopt;
  }
  if (name == "$binary") return BinaryFrom(object, value);
  if (name == "$uuid") return text == nullptr ? std::nullopt : UuidFrom(*text);
  if (name == "$timestamp") return TimestampFrom(value);
  if (name == "$regularExpression") {
    const std::string* pattern = TextIn(value.Find("pattern"));
    const std::string* options = TextIn(value.Find("options"));
    if (pattern == nullptr || options == nullptr || pattern->contains('\0') ||
        options->contains('\0'))
      return std::nullopt;
    return Value::Regex(*pattern, *options);
  }
  if (name == "$minKey") return Value::MinKey();
  if (name == "$maxKey") return Value::MaxKey();
  if (name == "$undefined") return Value::Null();
  if (name == "$symbol" && text != nullptr) return Value::Symbol(*text);
  if (name == "$code" && text != nullptr && fields.size() == 1) return Value::JavaScript(*text);
  is_known = false;
  return std::nullopt;
}

void AppendExtended(std::string& out, const Value& value) {
  switch (value.kind()) {
    case Kind::kInt32:
      out += fmt::format(R"({{"$numberInt":"{}"}})", value.AsInteger());
      return;
    case Kind::kInt64:
      out += fmt::format(R"({{"$numberLong":"{}"}})", value.AsInteger());
      return;
    case Kind::kDouble: {
      const double number = value.AsDouble();
      const std::string text = std::isnan(number)   ? "NaN"
                               : std::isinf(number) ? (number < 0 ? "-Infinity" : "Infinity")
                                                    : fmt::format("{}", number);
      out += fmt::format(R"({{"$numberDouble":"{}"}})", text);
      return;
    }
    case Kind::kDateTime:
      out += fmt::format(R"({{"$date":{{"$numberLong":"{}"}}}})", value.AsDateTime());
      return;
    case Kind::kArray: {
      out += '[';
      for (const Value& element : value.AsValues()) {
        if (out.back() != '[') out += ',';
        AppendExtended(out, element);
      }
      out += ']';
      return;
    }
    case Kind::kObject: {
      out += '{';
      for (const model::Field& field : value.AsFields()) {
        if (out.back() != '{') out += ',';
        model::AppendJsonString(out, field.name);
        out += ':';
        AppendExtended(out, field.value);
      }
      out += '}';
      return;
    }
    default:
      model::AppendJson(out, value);
  }
}

}  // namespace

Result<Value> FromExtendedJson(Value value) {
  if (value.kind() == Kind::kArray) {
    for (Value& element : value.MutableValues()) {
      ORRERY_ASSIGN(element, FromExtendedJson(std::move(element)));
    }
    return value;
  }
  if (value.kind() != Kind::kObject) return value;
  if (!value.AsFields().empty() && value.AsFields().front().name.starts_with('$')) {
    bool is_known = false;
    auto special = Special(value, is_known);
    if (special.has_value()) return *std::move(special);
    if (is_known) return RefuseExtended(value.AsFields().front().name);
  }
  for (model::Field& field : value.MutableFields()) {
    ORRERY_ASSIGN(field.value, FromExtendedJson(std::move(field.value)));
  }
  return value;
}

Result<model::Document> ReadExtendedJson(std::string_view text) {
  ORRERY_ASSIGN(const model::Document plain, model::ParseJson(text));
  ORRERY_ASSIGN(const Value value, FromExtendedJson(plain.view().ToObject()));
  if (value.kind() != Kind::kObject)
    return Fail(Code::kInvalidArgument, "a document must be an object");
  return model::ToDocument(value);
}

std::string ToExtendedJson(model::DocumentView document) {
  std::string out;
  AppendExtended(out, document.ToObject());
  return out;
}

}  // namespace orrery::cli
