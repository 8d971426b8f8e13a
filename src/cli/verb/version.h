// The version of this program.
#pragma once

#include <string>
#include <string_view>

namespace orrery::cli {

// "0.1.0".
std::string_view Version();

// Returns the text of `orrery version`: the version and what it was built with.
std::string VersionText();

}  // namespace orrery::cli
