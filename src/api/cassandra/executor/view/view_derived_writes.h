// From changed base rows to what must change in their views.
//
// The writes of a base row are one after the other, in the turns of its partition's sequencer, and
// each has a later time than those before it. A view row comes from one base row only. So the time
// of the base's write is the version of the view row: a change puts the whole row anew, with a
// deletion just before that time below it, and a row that does not belong there any more is deleted
// at that time. Then it does not matter in which order, or how often, changes arrive.
//
// Pure.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "api/cassandra/executor/view/view_registry.h"
#include "base/clock.h"
#include "gateway/row/row_requests.h"

namespace orrery::cassandra {

// Returns what a write at `now` that touched `rows` of one base partition means for all views. Rows
// that look the same in a view as before are left alone there.
CqlResult<std::vector<item::DerivedWrite>> DerivedWritesOf(const BaseViews& views,
                                                           std::string_view partition_key,
                                                           std::span<const item::TouchedRow> rows,
                                                           Micros now);

// Puts the rows into one view as they are at `now`, whatever is there.
CqlResult<std::vector<item::DerivedWrite>> DerivedWritesToFill(
    const ViewProjection& view, std::string_view partition_key,
    std::span<const item::TouchedRow> rows, Micros now);

}  // namespace orrery::cassandra
