#include "portal/page_limits.h"

#include <fmt/format.h>

namespace orrery::portal {

Result<item::PageLimits> PageLimitsFrom(std::optional<int64_t> items_max) {
  item::PageLimits limits;
  if (!items_max) return limits;
  if (*items_max < 1 || *items_max > kPageItemsMax) {
    return Fail(Code::kInvalidArgument,
                fmt::format("field 'maxItems' must be from 1 to {}", kPageItemsMax));
  }
  limits.items_max = static_cast<size_t>(*items_max);
  return limits;
}

}  // namespace orrery::portal
