// A point in time written by a format, as .NET's custom formats have it.
//
//   yyyy yy   year, all of it or its last two digits     HH H   hour from 0 to 23
//   MM M      month; MMM and MMMM its English name       hh h   hour from 1 to 12
//   dd d      day; ddd and dddd its English name         mm m   minute
//   ss s      second                                     tt t   AM or PM, or its first letter
//   f..       1 to 7 digits of the second's fraction     F..    the same without zeros at the end
//   \c        the character c itself
//
// Two letters are padded with a zero, one is not. All else stands for itself.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/time/date_time.h"

namespace orrery::sql {

// Nothing when a letter is repeated more often than any format has it, or the format ends in "\".
// REQUIRES: model::IsInCalendar(ticks).
std::optional<std::string> FormatDateTimeAs(model::Ticks ticks, std::string_view format);

}  // namespace orrery::sql
