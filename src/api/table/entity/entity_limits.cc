#include "api/table/entity/entity_limits.h"

#include <fmt/format.h>

#include <algorithm>

namespace orrery::table {
namespace {

constexpr size_t kLengthBytes = 4;
constexpr size_t kGuidBytes = 16;

bool IsLetter(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
}
bool IsDigit(unsigned char c) { return c >= '0' && c <= '9'; }

}  // namespace

size_t Utf16Size(std::string_view text) {
  size_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xc0) != 0x80) units += byte >= 0xf0 ? 2 : 1;
  }
  return units * 2;
}

size_t SizeMaxOf(const EdmValue& value) {
  const bool has_length = value.type() == EdmType::kString || value.type() == EdmType::kBinary;
  return has_length ? kUtf16PerUtf8Max * value.AsString().size() + kLengthBytes : kGuidBytes;
}

size_t SizeOf(const EdmValue& value) {
  switch (value.type()) {
    case EdmType::kString:
      return Utf16Size(value.AsString()) + kLengthBytes;
    case EdmType::kBinary:
      return value.AsString().size() + kLengthBytes;
    case EdmType::kGuid:
      return kGuidBytes;
    case EdmType::kBoolean:
      return 1;
    case EdmType::kInt32:
      return 4;
    case EdmType::kInt64:
    case EdmType::kDouble:
    case EdmType::kDateTime:
      break;
  }
  return 8;
}

Outcome<void> CheckKey(std::string_view key) {
  if (kUtf16PerUtf8Max * key.size() > kKeyBytesMax && Utf16Size(key) > kKeyBytesMax)
    return Refuse(ErrorCode::kKeyValueTooLarge);
  for (size_t i = 0; i < key.size(); ++i) {
    const auto c = static_cast<unsigned char>(key[i]);
    const bool is_late_control =
        c == 0xc2 && i + 1 < key.size() && static_cast<unsigned char>(key[i + 1]) < 0xa0;
    if (c < 0x20 || c == 0x7f || is_late_control || c == '/' || c == '\\' || c == '#' || c == '?') {
      return Refuse(ErrorCode::kOutOfRangeInput,
                    "One of the request inputs is out of range: a key has none of / \\ # ? and no "
                    "control characters.");
    }
  }
  return {};
}

Outcome<void> CheckPropertyName(std::string_view name) {
  if (name.size() > kPropertyNameCharactersMax && Utf16Size(name) > 2 * kPropertyNameCharactersMax)
    return Refuse(ErrorCode::kPropertyNameTooLong);
  const bool is_good =
      !name.empty() && IsLetter(static_cast<unsigned char>(name.front())) &&
      std::ranges::all_of(name, [](unsigned char c) { return IsLetter(c) || IsDigit(c); });
  if (!is_good) {
    return Refuse(
        ErrorCode::kPropertyNameInvalid,
        fmt::format("The property name '{}' is invalid: it must be an identifier.", name));
  }
  return {};
}

Outcome<void> CheckPropertyValue(const EdmValue& value) {
  const bool is_text = value.type() == EdmType::kString;
  if (!is_text && value.type() != EdmType::kBinary) return {};
  if (kUtf16PerUtf8Max * value.AsString().size() <= kPropertyValueBytesMax) return {};
  const size_t size = is_text ? Utf16Size(value.AsString()) : value.AsString().size();
  if (size > kPropertyValueBytesMax) return Refuse(ErrorCode::kPropertyValueTooLarge);
  return {};
}

}  // namespace orrery::table
