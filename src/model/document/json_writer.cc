// The writing half of json.h.
#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <utility>

#include "base/bytes.h"
#include "model/document/json.h"
#include "model/value_text.h"

namespace orrery::model {
namespace {

std::string Base64(std::string_view bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t have = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t j = 0; j < 3; ++j)
      group = group << 8 | (j < have ? static_cast<uint8_t>(bytes[i + j]) : 0);
    for (size_t j = 0; j < 4; ++j)
      text.push_back(j <= have ? kDigits[group >> (18 - 6 * j) & 63] : '=');
  }
  return text;
}

void AppendDouble(std::string& out, double number) {
  if (std::isfinite(number)) {
    out += FormatDouble(number);
  } else {
    fmt::format_to(std::back_inserter(out), R"({{"$numberDouble":"{}"}})", FormatDouble(number));
  }
}

void AppendBinary(std::string& out, std::string_view bytes, uint8_t subtype) {
  fmt::format_to(std::back_inserter(out), R"({{"$binary":{{"base64":"{}","subType":"{:02x}"}}}})",
                 Base64(bytes), subtype);
}

void AppendDateTime(std::string& out, int64_t unix_ms) {
  constexpr int64_t kYear10000 = 253402300800000;
  if (unix_ms >= 0 && unix_ms < kYear10000) {
    fmt::format_to(std::back_inserter(out), R"({{"$date":"{}"}})", FormatDateTime(unix_ms));
  } else {
    fmt::format_to(std::back_inserter(out), R"({{"$date":{{"$numberLong":"{}"}}}})", unix_ms);
  }
}

std::string Hex(const ObjectIdBytes& id) {
  return ToHex({reinterpret_cast<const char*>(id.data()), id.size()});
}

void AppendFields(std::string& out, const Fields& fields) {
  out.push_back('{');
  bool first = true;
  for (const Field& field : fields) {
    if (field.value.is_undefined()) continue;
    if (!std::exchange(first, false)) out.push_back(',');
    AppendJsonString(out, field.name);
    out.push_back(':');
    AppendJson(out, field.value);
  }
  out.push_back('}');
}

void AppendEntries(std::string& out, const MapEntries& entries) {
  out.push_back('{');
  bool first = true;
  for (const MapEntry& entry : entries) {
    if (!std::exchange(first, false)) out.push_back(',');
    AppendJsonString(out, ToText(entry.key));
    out.push_back(':');
    AppendJson(out, entry.value);
  }
  out.push_back('}');
}

void AppendElements(std::string& out, const Values& values) {
  out.push_back('[');
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) out.push_back(',');
    AppendJson(out, values[i]);
  }
  out.push_back(']');
}

void AppendArray(std::string& out, DocumentView array);

void AppendElement(std::string& out, const ElementView& element) {
  switch (element.kind()) {
    case Kind::kString:
      return AppendJsonString(out, element.AsString());
    case Kind::kInt32:
    case Kind::kInt64:
      fmt::format_to(std::back_inserter(out), "{}", element.AsInteger());
      return;
    case Kind::kObject:
      return AppendJson(out, element.AsDocument());
    case Kind::kArray:
      return AppendArray(out, element.AsDocument());
    default:
      return AppendJson(out, element.ToValue());
  }
}

void AppendArray(std::string& out, DocumentView array) {
  out.push_back('[');
  bool first = true;
  for (const ElementView element : array) {
    if (!std::exchange(first, false)) out.push_back(',');
    AppendElement(out, element);
  }
  out.push_back(']');
}

bool NeedsEscape(uint8_t c) { return c < 0x20 || c == '"' || c == '\\'; }

// Long texts rarely need one: they are examined in blocks that the compiler turns into a few
// vector instructions, which needs a loop without a way out.
constexpr size_t kEscapeBlock = 32;
bool BlockNeedsEscape(const char* block) {
  bool needs = false;
  for (size_t i = 0; i < kEscapeBlock; ++i) needs |= NeedsEscape(static_cast<uint8_t>(block[i]));
  return needs;
}

}  // namespace

void AppendJsonString(std::string& out, std::string_view text) {
  out.push_back('"');
  size_t plain = 0;  // start of what needs no escape
  for (size_t i = 0; i < text.size(); ++i) {
    while (i + kEscapeBlock <= text.size() && !BlockNeedsEscape(text.data() + i)) i += kEscapeBlock;
    if (i == text.size()) break;
    const auto c = static_cast<uint8_t>(text[i]);
    if (!NeedsEscape(c)) continue;
    out.append(text, plain, i - plain);
    plain = i + 1;
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\f':
        out += "\\f";
        break;
      default:
        fmt::format_to(std::back_inserter(out), "\\u{:04x}", c);
    }
  }
  out.append(text, plain);
  out.push_back('"');
}

void AppendJson(std::string& out, DocumentView document) {
  out.push_back('{');
  bool first = true;
  for (const ElementView element : document) {
    if (element.kind() == Kind::kUndefined) continue;
    if (!std::exchange(first, false)) out.push_back(',');
    AppendJsonString(out, element.name());
    out.push_back(':');
    AppendElement(out, element);
  }
  out.push_back('}');
}

void AppendJson(std::string& out, const Value& value) {
  const auto to = std::back_inserter(out);
  switch (value.kind()) {
    case Kind::kUndefined:
    case Kind::kNull:
      out += "null";
      return;
    case Kind::kBool:
      out += value.AsBool() ? "true" : "false";
      return;
    case Kind::kInt8:
    case Kind::kInt16:
    case Kind::kInt32:
    case Kind::kInt64:
    case Kind::kVarint:
    case Kind::kDecimal:
      out += ToText(value);
      return;
    case Kind::kFloat:
      if (!std::isfinite(value.AsDouble())) return AppendDouble(out, value.AsDouble());
      out += FormatFloat(static_cast<float>(value.AsDouble()));
      return;
    case Kind::kDouble:
      return AppendDouble(out, value.AsDouble());
    case Kind::kDecimal128:
      fmt::format_to(to, R"({{"$numberDecimal":"{}"}})", FormatDecimal128(value.AsDecimal128()));
      return;
    case Kind::kString:
    case Kind::kAscii:
      return AppendJsonString(out, value.AsString());
    case Kind::kUuid:
    case Kind::kTimeUuid:
    case Kind::kDate:
    case Kind::kTime:
    case Kind::kDuration:
    case Kind::kInet:
      return AppendJsonString(out, ToText(value));
    case Kind::kBinary:
      return AppendBinary(out, value.AsBytes(), value.binary_subtype());
    case Kind::kObjectId:
      fmt::format_to(to, R"({{"$oid":"{}"}})", Hex(value.AsObjectId()));
      return;
    case Kind::kDateTime:
      return AppendDateTime(out, value.AsDateTime());
    case Kind::kTimestamp:
      fmt::format_to(to, R"({{"$timestamp":{{"t":{},"i":{}}}}})", value.AsTimestamp().seconds,
                     value.AsTimestamp().increment);
      return;
    case Kind::kRegex:
      out += R"({"$regularExpression":{"pattern":)";
      AppendJsonString(out, value.AsRegex().pattern);
      out += R"(,"options":)";
      AppendJsonString(out, value.AsRegex().options);
      out += "}}";
      return;
    case Kind::kJavaScript:
      out += R"({"$code":)";
      AppendJsonString(out, value.AsString());
      out.push_back('}');
      return;
    case Kind::kJavaScriptWithScope:
      out += R"({"$code":)";
      AppendJsonString(out, value.AsScopedCode().code);
      out += R"(,"$scope":)";
      AppendFields(out, value.AsScopedCode().scope);
      out.push_back('}');
      return;
    case Kind::kSymbol:
      out += R"({"$symbol":)";
      AppendJsonString(out, value.AsString());
      out.push_back('}');
      return;
    case Kind::kDbPointer:
      out += R"({"$dbPointer":{"$ref":)";
      AppendJsonString(out, value.AsDbPointer().collection);
      fmt::format_to(to, R"(,"$id":{{"$oid":"{}"}}}}}})", Hex(value.AsDbPointer().id));
      return;
    case Kind::kMinKey:
      out += R"({"$minKey":1})";
      return;
    case Kind::kMaxKey:
      out += R"({"$maxKey":1})";
      return;
    case Kind::kArray:
    case Kind::kSet:
      return AppendElements(out, value.AsValues());
    case Kind::kObject:
      return AppendFields(out, value.AsFields());
    case Kind::kMap:
      return AppendEntries(out, value.AsEntries());
  }
}

std::string ToJson(DocumentView document) {
  std::string out;
  AppendJson(out, document);
  return out;
}

std::string ToJson(const Value& value) {
  std::string out;
  AppendJson(out, value);
  return out;
}

}  // namespace orrery::model
