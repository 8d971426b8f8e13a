// Finds the end of a number at the start of a text. Values are not computed here: a lexer keeps the
// text, and the part that knows the type parses it.
#pragma once

#include <cstddef>
#include <string_view>

namespace orrery::query {

// Returns the number of decimal (hexadecimal) digits that `text` starts with.
size_t CountDigits(std::string_view text);
size_t CountHexDigits(std::string_view text);

struct NumberShape {
  size_t length = 0;       // 0 when the text does not start with a digit
  bool is_integer = true;  // neither fraction nor exponent

  friend bool operator==(const NumberShape&, const NumberShape&) = default;
};

// An unsigned decimal number: digits ["." digits*] [("e" | "E") ["+" | "-"] digits].
// The two dots of a range are not taken apart: "1..2" starts with the integer 1, and "1...2" with
// the number "1." followed by "..".
NumberShape ScanNumber(std::string_view text);

}  // namespace orrery::query
