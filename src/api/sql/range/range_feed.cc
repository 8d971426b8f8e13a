#include "api/sql/range/range_feed.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "api/sql/document/etag.h"
#include "api/sql/resource/resource_id.h"

namespace orrery::sql {
namespace {

using gateway::ContainerRange;
using model::Value;

uint64_t PartitionOfEtag(std::string_view etag) {
  if (etag.starts_with('"')) etag.remove_prefix(1);
  if (etag.ends_with('"')) etag.remove_suffix(1);
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(etag.data(), etag.data() + etag.size(), number);
  return error == std::errc() && end == etag.data() + etag.size() ? number : 0;
}

Value SeenRange(const gateway::ContainerEntry& container, const ContainerRange& range,
                size_t count) {
  const ContainerNames names(container);
  const std::string rid =
      FormatRid(ResourceId::Child(RidKind::kPartitionKeyRange, container.database.value(),
                                  container.id.value(), range.partition.value()));
  model::Values parents;
  for (const PartitionId parent : range.ancestry)
    parents.push_back(Value::String(fmt::to_string(parent.value())));
  return Value::Object({{"_rid", Value::String(rid)},
                        {"id", Value::String(fmt::to_string(range.partition.value()))},
                        {"_etag", Value::String(FormatEtag(Lsn(range.partition.value())))},
                        {"minInclusive", Value::String(range.min_epk)},
                        {"maxExclusive", Value::String(range.max_epk)},
                        {"ridPrefix", Value::Int64(static_cast<int64_t>(range.partition.value()))},
                        {"_self", Value::String(fmt::format("{}pkranges/{}/", names.self(), rid))},
                        {"throughputFraction", Value::Double(1.0 / static_cast<double>(count))},
                        {"status", Value::String("online")},
                        {"parents", Value::Array(std::move(parents))},
                        {"_ts", Value::Int64(0)},
                        {"_lsn", Value::Int64(static_cast<int64_t>(range.lsn.value()))}});
}

}  // namespace

RangeFeed ReadRanges(const gateway::ContainerEntry& container,
                     std::span<const ContainerRange> ranges, std::string_view since) {
  const PartitionId told(PartitionOfEtag(since));
  RangeFeed feed;
  PartitionId newest = told;
  for (const ContainerRange& range : ranges) {
    newest = std::max(newest, range.partition);
    if (range.partition > told) feed.ranges.push_back(SeenRange(container, range, ranges.size()));
  }
  feed.etag = fmt::format("\"{}\"", newest.value());
  return feed;
}

}  // namespace orrery::sql
