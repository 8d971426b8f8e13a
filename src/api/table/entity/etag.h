// The ETag and the Timestamp of an entity: both are the time of its last write, which is unique and
// rises with every write of the partition.
//
//   etag := W/"datetime'2026-11-17T23%3A39%3A20.1932953Z'"
//
// Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "model/time/date_time.h"

namespace orrery::table {

model::Ticks TicksOf(Micros time);
// "2026-11-17T23:39:20.1932950Z"
std::string FormatTimestamp(Micros time);

std::string FormatEtag(Micros time);
// The same of a time that FormatTimestamp() has formatted.
std::string EtagOf(std::string_view timestamp);
// The inverse; nullopt for other text. An etag that could not be one of ours, because it has a
// finer time, is one of no entity: it gives a time before all.
std::optional<Micros> ParseEtag(std::string_view text);

}  // namespace orrery::table
