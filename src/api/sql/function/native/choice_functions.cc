// IIF and CHOOSE pick one of their arguments; OBJECTTOARRAY and DOCUMENTID look into objects. And
// what clients that rank the documents of several partitions themselves order equal ones by:
//
//   _RANKORDER(etag, rid)
#include <fmt/format.h>

#include <array>
#include <optional>

#include "api/sql/function/limits.h"
#include "api/sql/function/native/bodies.h"
#include "api/sql/function/native/native_functions.h"

namespace orrery::sql {
namespace {

// Unlike ?:, what is not true chooses the second, undefined included.
Result<Value> Iif(Arguments arguments, const CallContext&) {
  return BoolOf(arguments[0]) == true ? arguments[1] : arguments[2];
}

// Counts from 1.
Result<Value> Choose(Arguments arguments, const CallContext&) {
  const auto index = IntegerOf(arguments[0]);
  if (!index || *index < 1 || static_cast<uint64_t>(*index) >= arguments.size())
    return Value::Undefined();
  return arguments[static_cast<size_t>(*index)];
}

Result<Value> ObjectToArray(Arguments arguments, const CallContext&) {
  const model::Fields* fields = ObjectOf(arguments[0]);
  std::string key = "k";
  std::string value = "v";
  if (arguments.size() > 1) {
    const std::string* key_name = TextOf(arguments[1]);
    if (key_name == nullptr) return Value::Undefined();
    key = *key_name;
  }
  if (arguments.size() > 2) {
    const std::string* value_name = TextOf(arguments[2]);
    if (value_name == nullptr) return Value::Undefined();
    value = *value_name;
  }
  if (fields == nullptr || key == value) return Value::Undefined();
  ORRERY_TRY(CheckResultElements(fields->size()));
  ORRERY_TRY(CheckResultBytes(fields->size() * (key.size() + value.size())));
  model::Values pairs;
  pairs.reserve(fields->size());
  for (const model::Field& field : *fields) {
    if (field.value.is_undefined()) continue;
    pairs.push_back(Value::Object({{key, Value::String(field.name)}, {value, field.value}}));
  }
  return Value::Array(std::move(pairs));
}

constexpr size_t kRidBytes = 16;

std::optional<uint8_t> Base64Digit(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<uint8_t>(c - 'A');
  if (c >= 'a' && c <= 'z') return static_cast<uint8_t>(c - 'a' + 26);
  if (c >= '0' && c <= '9') return static_cast<uint8_t>(c - '0' + 52);
  if (c == '+') return uint8_t{62};
  // Resource ids stand in addresses, so they have "-" for "/".
  if (c == '-' || c == '/') return uint8_t{63};
  return std::nullopt;
}

std::optional<std::array<uint8_t, kRidBytes>> DecodeRid(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  if (text.size() != (kRidBytes * 8 + 5) / 6) return std::nullopt;
  std::array<uint8_t, kRidBytes> bytes{};
  uint32_t bits = 0;
  int have = 0;
  size_t written = 0;
  for (const char c : text) {
    const auto digit = Base64Digit(c);
    if (!digit) return std::nullopt;
    bits = bits << 6 | *digit;
    have += 6;
    if (have < 8) continue;
    have -= 8;
    bytes[written++] = static_cast<uint8_t>(bits >> have);
  }
  return bytes;
}

// The number that an item's _rid has after the eight bytes of its container: little-endian, as much
// of it as a number of JSON has.
Result<Value> DocumentId(Arguments arguments, const CallContext&) {
  const Value* rid = arguments[0].Find("_rid");
  const std::string* text = rid == nullptr ? nullptr : TextOf(*rid);
  const auto bytes = text == nullptr ? std::nullopt : DecodeRid(*text);
  if (!bytes) return Value::Undefined();
  uint64_t number = 0;
  for (size_t i = kRidBytes; i-- > kRidBytes / 2;) number = number << 8 | (*bytes)[i];
  constexpr uint64_t kExactMax = (uint64_t{1} << 53) - 1;
  return model::NumberFromDouble(static_cast<double>(number & kExactMax));
}

// "llllllll-mmmm-hhhh-..", quoted: a position of the partition, its lowest digits first.
std::optional<std::string> PositionDigits(std::string_view etag) {
  constexpr size_t kEtagBytes = 38;
  if (etag.size() != kEtagBytes || etag.front() != '"' || etag[9] != '-' || etag[14] != '-')
    return std::nullopt;
  return fmt::format("{}{}{}", etag.substr(15, 4), etag.substr(10, 4), etag.substr(1, 8));
}

// A text for each document, which orders them by when they were written last, and by their place on
// the ring where that was at the same position of several partitions.
Result<Value> RankOrder(Arguments arguments, const CallContext&) {
  const std::string* etag = TextOf(arguments[0]);
  const std::string* rid = TextOf(arguments[1]);
  if (etag == nullptr || rid == nullptr) return Value::Undefined();
  auto order = PositionDigits(*etag);
  const auto bytes = DecodeRid(*rid);
  if (!order || !bytes) return Value::Undefined();
  for (size_t i = kRidBytes / 2; i < kRidBytes; ++i) *order += fmt::format("{:02x}", (*bytes)[i]);
  return Value::String(*std::move(order));
}

constexpr Function kChoiceFunctions[] = {
    {"_RANKORDER", 2, 2, RankOrder},        {"CHOOSE", 2, kArgumentsUnbounded, Choose},
    {"DOCUMENTID", 1, 1, DocumentId},       {"IIF", 3, 3, Iif},
    {"OBJECTTOARRAY", 1, 3, ObjectToArray},
};

}  // namespace

std::span<const Function> ChoiceFunctions() { return kChoiceFunctions; }

}  // namespace orrery::sql
