#include "api/sql/range/request_range.h"

#include <fmt/format.h>

#include <charconv>
#include <string>
#include <string_view>

#include "gateway/view/container_ranges.h"

namespace orrery::sql {
namespace {

std::unexpected<ErrorResponse> Gone(const std::string& id) {
  return Refuse(410,
                fmt::format("there is no partition key range '{}' any more: it has split or "
                            "merged; read the ranges again",
                            id),
                Substatus::kPartitionKeyRangeGone);
}

// Many programs assume that ids begin with 0 in each container. No partition has the number 0: it
// stands for the first range, unless that came of a split.
std::optional<partition::HashRange> FirstRange(const gateway::Gateway& gateway,
                                               const gateway::ContainerEntry& container) {
  const auto ranges = gateway::RangesOf(gateway, container);
  if (!ranges.has_value()) return std::nullopt;
  if (ranges->size() > 1 && !ranges->front().ancestry.empty()) return std::nullopt;
  return ranges->front().range;
}

std::optional<partition::HashRange> RangeNamed(const gateway::Gateway& gateway,
                                               const gateway::ContainerEntry& container,
                                               std::string_view id) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number);
  if (error != std::errc() || end != id.data() + id.size()) return std::nullopt;
  if (number == 0) return FirstRange(gateway, container);
  return gateway::FindRange(gateway, container, PartitionId(number));
}

}  // namespace

SqlResult<std::optional<partition::HashRange>> RangeOfRequest(
    const gateway::Gateway& gateway, const gateway::ContainerEntry& container,
    const RequestHeaders& headers) {
  std::optional<partition::HashRange> wanted;
  if (headers.epk_range.has_value()) {
    SQL_ASSIGN(wanted,
               gateway::RangeOfEpks(container, headers.epk_range->min, headers.epk_range->max));
  }
  if (!headers.range_id.has_value()) return wanted;
  const auto found = RangeNamed(gateway, container, *headers.range_id);
  if (!found.has_value()) return Gone(*headers.range_id);
  if (!wanted.has_value()) return found;
  const auto common = wanted->Intersect(*found);
  if (!common.has_value()) return Gone(*headers.range_id);
  return common;
}

}  // namespace orrery::sql
