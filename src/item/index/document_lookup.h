// Finds the value at a path of a document.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "model/document/document.h"

namespace orrery::item {

// Arrays are not gone into. REQUIRES: steps.
std::optional<model::ElementView> FindAt(model::DocumentView document,
                                         std::span<const std::string> steps);

}  // namespace orrery::item
