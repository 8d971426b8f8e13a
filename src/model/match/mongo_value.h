// Reads the value at a path as MongoDB's expressions do: through the elements of arrays, which
// gives an array of what is found, and never by index. Pure.
#pragma once

#include <span>
#include <string>

#include "model/document/document.h"
#include "model/value.h"

namespace orrery::model {

// Undefined if there is nothing.
Value MongoValueAt(DocumentView document, std::span<const std::string> steps);

}  // namespace orrery::model
