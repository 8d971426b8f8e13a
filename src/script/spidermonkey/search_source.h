// JavaScript of ours that every realm begins with: searching in strings, with a bound.
//
// The engine's own search compares a string at every place of another, without looking at
// interrupts: two strings of 10 MB keep a thread for hours. So indexOf, lastIndexOf, includes,
// split, replace and replaceAll ask the engine only where that is quick whatever the strings are,
// and otherwise search in linear time (Knuth, Morris, Pratt) in a loop that can be interrupted.
#pragma once

#include <string_view>

namespace orrery::script {

extern const std::string_view kSearchSource;

}  // namespace orrery::script
