// String literals: where one ends, what it says, and how to write one.
//
//   literal := "'" character* "'" | '"' character* '"'
//   escapes := \' \" \\ \/ \b \f \n \r \t \uXXXX
//
// The other kind of quote needs no escape. A character outside the basic plane is itself or two
// \u of a surrogate pair; half a pair is no character.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace orrery::sql {

// The length of the literal at the start of `text`, with its quotes; npos when it does not end.
// Escapes are skipped, not judged. REQUIRES: `text` starts with a quote.
size_t ScanString(std::string_view text);

// Returns the value of a whole literal, as ScanString finds it; nullopt when one of its escapes is
// invalid.
std::optional<std::string> UnquoteString(std::string_view literal);

// The literal, in double quotes, that says `content`.
std::string QuoteString(std::string_view content);

}  // namespace orrery::sql
