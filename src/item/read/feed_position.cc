#include "item/read/feed_position.h"

namespace orrery::item {

Result<Lsn> FindFeedPosition(Micros time, Lsn until, const ProbeFeed& probe) {
  // Every entry below `low` is earlier than `time`, none at or above `high` is.
  uint64_t low = 0;
  uint64_t high = until.value() + 1;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    ORRERY_ASSIGN(const auto found, probe(Lsn(middle)));
    if (found.has_value() && found->time < time) {
      low = found->lsn.value() + 1;
    } else {
      high = middle;
    }
  }
  return Lsn(low == 0 ? 0 : low - 1);
}

}  // namespace orrery::item
