#include "api/sql/handler/resource/range_handler.h"

#include <utility>

#include "api/sql/document/container_names.h"
#include "api/sql/handler/finder.h"
#include "api/sql/range/range_feed.h"

namespace orrery::sql {
namespace {

SqlResult<Reply> ReadPartitionKeyRanges(gateway::Gateway& gateway, const Call& call) {
  SQL_ASSIGN(const auto found, Finder(gateway.catalog()).Container(call.path, call.headers));
  const gateway::ContainerEntry& container = *found.container;
  SQL_ASSIGN(const auto ranges, gateway::RangesOf(gateway, container));
  const bool incremental = call.headers.feed == FeedKind::kIncremental;
  RangeFeed feed =
      ReadRanges(container, ranges, incremental ? call.headers.if_none_match : std::string());
  Reply reply = FeedReply(ContainerNames(container).rid(), "PartitionKeyRanges", feed.ranges);
  reply.etag = std::move(feed.etag);
  AddOwner(reply, container);
  if (incremental && feed.ranges.empty()) {
    reply.status = 304;
    reply.body.clear();
  }
  return reply;
}

}  // namespace

void AddRangeHandlers(HandlerTable& table, const HandlerParts& parts) {
  table.AddBlocking(parts.gateway.io_pool(), ResourceType::kPartitionKeyRange, Action::kReadFeed,
                    [&gateway = parts.gateway](const Call& call) {
                      return ReadPartitionKeyRanges(gateway, call);
                    });
}

}  // namespace orrery::sql
