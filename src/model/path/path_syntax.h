// The text of paths: "/a/b", "/a/[]/b/?", `/"a/b"/*`. Shared by Path and PathPattern.
//
//   path  := ("/" step)*
//   step  := quoted | plain
//   quoted := '"' (any character; \" and \\ stand for " and \) '"', or the same with ' for "
//   plain := one or more characters other than "/"
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace orrery::model {

inline constexpr size_t kPathStepsMax = 128;

struct PathToken {
  std::string text;     // unquoted
  bool quoted = false;  // then never a wildcard
  size_t position = 0;  // of its first byte in the path
};

// "" and "/" have no steps. kInvalidArgument names the offending position.
Result<std::vector<PathToken>> SplitPath(std::string_view path);

// Appends "/" and the name, quoted when it would read as something else otherwise.
void AppendPathStep(std::string& out, std::string_view name);

// An error about `path` at `position`.
std::unexpected<Error> PathError(std::string_view path, size_t position, std::string_view what);

}  // namespace orrery::model
