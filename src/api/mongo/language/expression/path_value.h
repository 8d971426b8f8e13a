// Reads the value at a path as expressions do: through the elements of arrays, which gives an array
// of what is found, and never by index.
#pragma once

#include <span>
#include <string>

#include "model/document/document.h"
#include "model/value.h"

namespace orrery::mongo {

// Missing (undefined) if there is nothing.
model::Value ValueAtPath(model::DocumentView document, std::span<const std::string> steps);
model::Value ValueAtPath(const model::Value& value, std::span<const std::string> steps);

}  // namespace orrery::mongo
