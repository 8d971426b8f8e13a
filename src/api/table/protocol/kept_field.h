// Reads and writes what this API keeps about a database or container: one field, "table", of the
// entry's extra document, which the core does not interpret. Other fields there are others' and
// stay as they are.
//
// Pure.
#pragma once

#include <optional>
#include <string_view>

#include "model/document/document.h"
#include "model/value.h"

namespace orrery::table {

// Undefined when nothing is kept under that name.
model::Value KeptField(const std::optional<model::Document>& extra, std::string_view name);
model::Document WithKeptField(const std::optional<model::Document>& extra, std::string_view name,
                              model::Value value);

}  // namespace orrery::table
