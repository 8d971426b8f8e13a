#include "api/mongo/language/value/print.h"

#include <fmt/core.h>

#include <cmath>

#include "model/value_text.h"

namespace orrery::mongo {
namespace {

using model::Field;
using model::Kind;
using model::Value;

enum class PrintStyle : uint8_t { kBson, kValue };

std::string HexOf(std::string_view bytes, bool upper) {
  std::string out;
  for (const char byte : bytes) {
    out += upper ? fmt::format("{:02X}", static_cast<uint8_t>(byte))
                 : fmt::format("{:02x}", static_cast<uint8_t>(byte));
  }
  return out;
}

std::string ObjectIdHex(const model::ObjectIdBytes& id) {
  return HexOf({reinterpret_cast<const char*>(id.data()), id.size()}, false);
}

std::string PrintDouble(double number, PrintStyle style) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
  std::string text = fmt::format("{:.16g}", number);
  if (style == PrintStyle::kBson && text.find_first_of(".e") == std::string::npos) text += ".0";
  if (style == PrintStyle::kValue) text = fmt::format("{:.15g}", number);
  return text;
}

void PrintTo(std::string& out, const Value& value, PrintStyle style);

void PrintFields(std::string& out, const model::Fields& fields, PrintStyle style) {
  if (fields.empty()) {
    out += "{}";
    return;
  }
  out += style == PrintStyle::kBson ? "{ " : "{";
  for (size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) out += ", ";
    out += fields[i].name;
    out += ": ";
    PrintTo(out, fields[i].value, style);
  }
  out += style == PrintStyle::kBson ? " }" : "}";
}

void PrintElements(std::string& out, const model::Values& values, PrintStyle style) {
  if (values.empty()) {
    out += "[]";
    return;
  }
  out += style == PrintStyle::kBson ? "[ " : "[";
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) out += ", ";
    PrintTo(out, values[i], style);
  }
  out += style == PrintStyle::kBson ? " ]" : "]";
}

void PrintTo(std::string& out, const Value& value, PrintStyle style) {
  const bool is_bson = style == PrintStyle::kBson;
  switch (value.kind()) {
    case Kind::kUndefined:
      out += is_bson ? "undefined" : "MISSING";
      return;
    case Kind::kNull:
      out += "null";
      return;
    case Kind::kBool:
      out += value.AsBool() ? "true" : "false";
      return;
    case Kind::kInt32:
    case Kind::kInt64:
      out += std::to_string(value.AsInteger());
      return;
    case Kind::kDouble:
      out += PrintDouble(value.AsDouble(), style);
      return;
    case Kind::kDecimal128:
      out += model::FormatDecimal128(value.AsDecimal128());
      return;
    case Kind::kString:
    case Kind::kSymbol:
      out += '"';
      out += value.AsString();
      out += '"';
      return;
    case Kind::kJavaScript:
      out += value.AsString();
      return;
    case Kind::kObjectId:
      out += is_bson ? fmt::format("ObjectId('{}')", ObjectIdHex(value.AsObjectId()))
                     : ObjectIdHex(value.AsObjectId());
      return;
    case Kind::kDateTime:
      out += is_bson ? fmt::format("new Date({})", value.AsDateTime())
                     : model::FormatDateTime(value.AsDateTime());
      return;
    case Kind::kTimestamp:
      out += fmt::format("Timestamp({}, {})", value.AsTimestamp().seconds,
                         value.AsTimestamp().increment);
      return;
    case Kind::kRegex:
      out += fmt::format("/{}/{}", value.AsRegex().pattern, value.AsRegex().options);
      return;
    case Kind::kBinary:
      out += is_bson ? fmt::format("BinData({}, {})", value.binary_subtype(),
                                   HexOf(value.AsBytes(), true))
                     : fmt::format("BinData({}, \"{}\")", value.binary_subtype(),
                                   HexOf(value.AsBytes(), true));
      return;
    case Kind::kMinKey:
      out += "MinKey";
      return;
    case Kind::kMaxKey:
      out += "MaxKey";
      return;
    case Kind::kObject:
      PrintFields(out, value.AsFields(), style);
      return;
    case Kind::kArray:
      PrintElements(out, value.AsValues(), style);
      return;
    default:
      out += model::ToText(value);
  }
}

}  // namespace

std::string PrintBson(const Value& value) {
  std::string out;
  PrintTo(out, value, PrintStyle::kBson);
  return out;
}

std::string PrintElement(std::string_view name, const Value& value) {
  return std::string(name) + ": " + PrintBson(value);
}

std::string PrintValue(const Value& value) {
  std::string out;
  PrintTo(out, value, PrintStyle::kValue);
  return out;
}

}  // namespace orrery::mongo
