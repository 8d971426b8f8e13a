// Validates UTF-8, and cuts text without breaking a character.
#pragma once

#include <cstddef>
#include <string_view>

namespace orrery {

// The offset of the first byte that is not part of a well-formed UTF-8 sequence (no overlong forms,
// no surrogates, nothing above U+10FFFF), or npos when all are.
size_t FindInvalidUtf8(std::string_view text);
inline bool IsUtf8(std::string_view text) {
  return FindInvalidUtf8(text) == std::string_view::npos;
}

// The longest prefix of well-formed `text` (of other text it may end anywhere) that has at most
// `bytes_max` bytes and ends between two characters.
std::string_view Utf8Prefix(std::string_view text, size_t bytes_max);

// The first character of well-formed `text`; empty when the text is.
std::string_view FirstUtf8Character(std::string_view text);

}  // namespace orrery
