// The value of a number as a query's text writes it (ast::Number).
#pragma once

#include <optional>
#include <string_view>

#include "model/value.h"

namespace orrery::sql {

// As JSON text with the same digits is read: whole numbers stay exact while they fit int64, all
// others are the nearest double. Nothing when it is no number or has no double near it, such as
// 1e999.
std::optional<model::Value> ParseNumber(std::string_view text);

}  // namespace orrery::sql
