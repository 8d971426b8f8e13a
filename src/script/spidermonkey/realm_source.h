// The JavaScript that every new realm runs before any script of a user.
#pragma once

#include <string_view>

namespace orrery::script {

// Takes away what is no ECMAScript or leads out of the calling function.
extern const std::string_view kSandboxSource;

// Bounds regular expressions.
extern const std::string_view kPatternSource;

// Makes everything that can be reached in a realm immutable, so that calls that share the realm
// can leave nothing behind for each other.
extern const std::string_view kFreezeSource;

}  // namespace orrery::script
