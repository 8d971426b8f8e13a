// Text as the query language counts it: in characters, which are Unicode code points.
//
// Positions and lengths of all string functions are in code points, so a character beyond the basic
// plane counts once and is never cut in two. Text that is not UTF-8 does not get this far: JSON is.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace orrery::sql {

// The characters of well-formed UTF-8. Each byte of other text counts as one character, its own
// value.
std::u32string ToCodePoints(std::string_view text);
void AppendCodePoint(std::string& out, char32_t character);

size_t CountCodePoints(std::string_view text);

// The byte at which the character of that number begins; the size of the text when there are fewer.
size_t ByteOfCodePoint(std::string_view text, size_t character);

}  // namespace orrery::sql
