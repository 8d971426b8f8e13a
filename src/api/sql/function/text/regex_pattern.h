// Compiles the patterns of REGEXMATCH (model/regex/regex.h).
#pragma once

#include <string_view>

#include "base/status.h"
#include "model/regex/regex.h"

namespace orrery::sql {

// `modifiers` are letters: i, m, s and x. kInvalidArgument for another, else as Regex::Compile.
Result<model::Regex> CompileRegex(std::string_view pattern, std::string_view modifiers);

}  // namespace orrery::sql
