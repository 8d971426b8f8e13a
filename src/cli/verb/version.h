// The version of this program.
#pragma once

#include <string>
#include <string_view>

namespace orrery::cli {

// "0.1.0".
std::string_view Version();

// Returns the text of `orrery version`: the version, what it was built with, and whether the
// explorer's page is in it.
std::string VersionText(bool has_explorer);

}  // namespace orrery::cli
