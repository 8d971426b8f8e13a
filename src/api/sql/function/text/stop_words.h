// Words that say little about what a text is about ("the", "was", "also"). They are found like any
// others, but a text does not count as longer for having them.
//
// Pure.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace orrery::sql {

// Of English, in lower case.
bool IsStopWord(std::string_view word);

// Returns how many of a text's words are not stop words.
size_t TextLength(std::span<const std::string> words);

}  // namespace orrery::sql
