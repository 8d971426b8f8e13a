// DateTimeValue turns a moment into the value that date functions return.
#pragma once

#include <optional>

#include "api/sql/function/argument.h"
#include "model/time/date_time.h"

namespace orrery::sql {

// Returns the text of `ticks`; undefined if there are none or they are outside the calendar.
inline Value DateTimeValue(std::optional<model::Ticks> ticks) {
  return ticks && model::IsInCalendar(*ticks) ? Value::String(model::FormatTicks(*ticks))
                                              : Value::Undefined();
}

}  // namespace orrery::sql
