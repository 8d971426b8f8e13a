// Texts with some of their characters replaced.
//
// A character is one code point; to Cassandra, whose texts are UTF-16, those above U+FFFF are two.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace orrery::cassandra {

enum class MaskedPart : uint8_t {
  kInner,  // all but the first `begin` and the last `end` characters
  kOuter,  // only those
};

// REQUIRES: UTF-8. `padding` is what a character becomes. Negative counts are as good as none for
// kInner, and reach beyond the text for neither.
std::string MaskPart(std::string_view text, MaskedPart part, int32_t begin, int32_t end,
                     std::string_view padding);

// Returns the number of characters.
size_t CharacterCount(std::string_view text);

}  // namespace orrery::cassandra
