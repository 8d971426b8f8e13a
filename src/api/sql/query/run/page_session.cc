#include "api/sql/query/run/page_session.h"

#include <algorithm>
#include <utility>

namespace orrery::sql {

std::string SessionOfPage(std::span<const gateway::SessionPosition> seen, bool of_one_key) {
  if (of_one_key && seen.size() > 1) {
    // LSNs of a partition go on in its parts, and later parts have higher ids.
    const auto newest = std::ranges::max_element(
        seen, {}, [](const auto& position) { return std::pair(position.lsn, position.partition); });
    seen = seen.subspan(static_cast<size_t>(newest - seen.begin()), 1);
  }
  std::string text;
  for (const gateway::SessionPosition& position : seen)
    gateway::AppendSessionPosition(text, position);
  return text;
}

}  // namespace orrery::sql
