// Finds the place of a moment in a change feed, by halving.
#pragma once

#include <functional>
#include <optional>

#include "base/clock.h"
#include "base/ids.h"
#include "base/status.h"

namespace orrery::item {

struct FeedProbe {
  Lsn lsn;
  Micros time{0};
};
// The first entry of a range at or after `from`; when none is near, one further on; nothing when
// there is none.
using ProbeFeed = std::function<Result<std::optional<FeedProbe>>(Lsn from)>;

// Entries of other ring positions that one probe steps over.
inline constexpr size_t kProbeEntriesMax = 1'000;

// The position just before the first entry at or after `time`; `until` when there is none. Times
// rise with positions.
Result<Lsn> FindFeedPosition(Micros time, Lsn until, const ProbeFeed& probe);

}  // namespace orrery::item
