#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "model/path/path.h"

namespace orrery::gateway {

// Parses each text as a path into documents. Returns the error of the first that is malformed.
Result<std::vector<model::Path>> ParsePaths(const std::vector<std::string>& texts);

}  // namespace orrery::gateway
