// Is this text well-formed UTF-8?
#pragma once

#include <cstddef>
#include <string_view>

namespace orrery::cassandra {

// Overlong forms, surrogates and code points beyond U+10FFFF are malformed; NUL is a character.
bool IsUtf8(std::string_view text);

// The longest prefix of at most `size_max` bytes that does not end inside a character.
// REQUIRES: `text` is well-formed; of malformed text the prefix may end anywhere.
std::string_view Utf8Prefix(std::string_view text, size_t size_max);

}  // namespace orrery::cassandra
