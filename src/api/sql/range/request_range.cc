#include "api/sql/range/request_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "gateway/view/container_ranges.h"

namespace orrery::sql {
namespace {

std::unexpected<Refusal> Gone(const std::string& id) {
  return Refuse(410,
                fmt::format("there is no partition key range '{}' any more: it has split or "
                            "merged; read the ranges again",
                            id),
                Substatus::kPartitionKeyRangeGone);
}

}  // namespace

Answered<std::optional<partition::HashRange>> RangeOfRequest(
    const gateway::Gateway& gateway, const gateway::ContainerEntry& container,
    const RequestHeaders& headers) {
  std::optional<partition::HashRange> wanted;
  if (headers.epk_range.has_value()) {
    SQL_ASSIGN(wanted,
               gateway::RangeOfEpks(container, headers.epk_range->min, headers.epk_range->max));
  }
  if (!headers.range_id.has_value()) return wanted;
  SQL_ASSIGN(const auto ranges, gateway::RangesOf(gateway, container));
  const auto found = std::ranges::find_if(ranges, [&](const gateway::ContainerRange& range) {
    return fmt::to_string(range.partition.value()) == *headers.range_id;
  });
  if (found == ranges.end()) return Gone(*headers.range_id);
  if (!wanted.has_value()) return found->range;
  const auto common = wanted->Intersect(found->range);
  if (!common.has_value()) return Gone(*headers.range_id);
  return common;
}

}  // namespace orrery::sql
