// Reads items out of a file of a user: CSV with a line of names, a JSON array, or one JSON object
// on each line.
//
// Pure: text in, documents out.
#pragma once

#include <string_view>
#include <vector>

#include "base/status.h"
#include "model/document/document.h"

namespace orrery::cli {

inline constexpr size_t kItemFileBytesMax = size_t{256} << 20;

// Numbers of CSV are numbers, "true" and "false" booleans, and empty fields are not there; what
// stands in quotes is a string. kInvalidArgument names the line.
Result<std::vector<model::Document>> ReadItems(std::string_view text, size_t items_max);

}  // namespace orrery::cli
