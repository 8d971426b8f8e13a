// The size of a page that a request asks for.
#pragma once

#include <cstdint>
#include <optional>

#include "base/status.h"
#include "gateway/gateway.h"

namespace orrery::portal {

inline constexpr int64_t kPageItemsMax = 10'000;

// maxItems as a page's limit; the default when not given, kInvalidArgument
// outside 1..kPageItemsMax.
Result<item::PageLimits> PageLimitsFrom(std::optional<int64_t> items_max);

}  // namespace orrery::portal
