// A list of partition keys with their weights, as people can export it from what they run today:
//
//   file   := [header] line*
//   header := a first line whose second field is not a number
//   line   := key "," weight ["," bytes] newline
//   key    := text without comma, or '"' text with '""' for a quote '"'
//   weight := how much is asked of the key, in any unit: only the proportions count
//   bytes  := what it stores; by default in proportion to the weight
//
// Empty lines are skipped. Either all lines have bytes or none.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace orrery::cluster {

inline constexpr size_t kListedKeysMax = 1'000'000;

struct ListedKey {
  std::string key;
  double weight = 0;
  double bytes = 0;  // 0 in all keys when the list has none
};

// kInvalidArgument names the line and what is wrong with it: no number, a negative one, a key that
// stands twice, too many keys, no weight at all.
Result<std::vector<ListedKey>> ParseKeyList(std::string_view text);

}  // namespace orrery::cluster
