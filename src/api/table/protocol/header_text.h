// Takes the text of headers and parameters apart. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace orrery::table {

// Without blanks and line ends around it.
std::string_view Trimmed(std::string_view text);
// ASCII letters only.
std::string LowerCase(std::string_view text);
// The parts of "a, b,c", each trimmed; an empty text has one empty part.
std::vector<std::string_view> SplitList(std::string_view text);

}  // namespace orrery::table
