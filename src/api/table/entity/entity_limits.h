// Checks the limits of Azure Table Storage on keys, property names and sizes. Pure.
#pragma once

#include <cstddef>
#include <string_view>

#include "api/table/entity/edm_value.h"
#include "api/table/protocol/error_response.h"

namespace orrery::table {

inline constexpr size_t kPropertiesMax = 252;  // beside the keys and Timestamp
inline constexpr size_t kPropertyNameCharactersMax = 255;
inline constexpr size_t kPropertyValueBytesMax = size_t{64} << 10;
inline constexpr size_t kEntityBytesMax = size_t{1} << 20;
inline constexpr size_t kKeyBytesMax = size_t{1} << 10;

// Sizes count characters of text as UTF-16 has them, two bytes each, as the service does.
size_t Utf16Size(std::string_view text);
size_t SizeOf(const EdmValue& value);
// At least SizeOf(), and found without looking at texts.
size_t SizeMaxOf(const EdmValue& value);
// A text has at most so many bytes as UTF-16 for each that it has as UTF-8.
inline constexpr size_t kUtf16PerUtf8Max = 2;

// No '/', '\\', '#', '?' or control characters, and at most kKeyBytesMax. Empty keys are legal.
Outcome<void> CheckKey(std::string_view key);
// An identifier of at most kPropertyNameCharactersMax.
Outcome<void> CheckPropertyName(std::string_view name);
Outcome<void> CheckPropertyValue(const EdmValue& value);

}  // namespace orrery::table
