#include "api/sql/handler/document/feed_handler.h"

#include <algorithm>
#include <utility>

#include "api/sql/document/document_form.h"
#include "api/sql/handler/document/change_feed.h"
#include "api/sql/handler/document/document_target.h"
#include "api/sql/handler/finder.h"
#include "api/sql/range/request_range.h"
#include "api/sql/request/partition_key_text.h"

namespace orrery::sql {
namespace {

constexpr size_t kPageItemsDefault = 100;
constexpr size_t kPageItemsMax = 1'000;
// Rounds of a deletion that others keep overtaking, or of a very large partition key.
constexpr size_t kDeleteRoundsMax = 1'000'000;

item::PageLimits LimitsOf(const RequestHeaders& headers) {
  item::PageLimits limits;
  limits.items_max = std::min(headers.items_max.value_or(kPageItemsDefault), kPageItemsMax);
  return limits;
}

class Feeds {
 public:
  explicit Feeds(const HandlerParts& parts) : parts_(parts) {}

  SqlResult<Reply> Read(const Call& call) const {
    SQL_ASSIGN(const auto found,
               Finder(parts_.gateway.catalog()).Container(call.path, call.headers));
    if (call.headers.feed != FeedKind::kNone)
      return ReadChanges(parts_.gateway, found.container, call.headers, LimitsOf(call.headers));
    // A partition key says more than a range, and may be all that the bearer of a token may see.
    if (call.headers.partition_key.has_value())
      return Scan(call, found.container, /*range=*/std::nullopt);
    SQL_ASSIGN(const auto range, RangeOfRequest(parts_.gateway, *found.container, call.headers));
    return Scan(call, found.container, range);
  }

  SqlResult<Reply> DeletePartitionKey(const Call& call) const {
    SQL_ASSIGN(const auto found,
               Finder(parts_.gateway.catalog()).Container(call.path, call.headers));
    // Never by default: a container without a key would lose all that it has.
    if (!call.headers.partition_key.has_value())
      return Refuse(400, "PartitionKey value must be supplied for this operation");
    SQL_ASSIGN(const gateway::KeyValues key, KeyOfRequest(*found.container, call.headers));
    Reply reply;
    AddOwner(reply, *found.container);
    for (size_t round = 0; round < kDeleteRoundsMax; ++round) {
      SQL_TRY(call.context().Check());
      SQL_ASSIGN(const bool more, DeleteSome(found.container, key, reply));
      if (!more) return reply;
    }
    return Refuse(503, "documents of this partition key are written faster than they are deleted");
  }

 private:
  SqlResult<Reply> Scan(const Call& call, const gateway::ContainerRef& container,
                        const std::optional<partition::HashRange>& range) const {
    gateway::ScanSpec spec;
    spec.range = range;
    if (call.headers.partition_key.has_value())
      spec.partition_key = KeyFor(*container, *call.headers.partition_key);
    spec.limits = LimitsOf(call.headers);
    spec.session = call.headers.session;
    SQL_ASSIGN(gateway::ScanResponse page,
               parts_.gateway.Scan(container, spec, call.headers.continuation));
    const ContainerNames names(*container);
    FeedWriter writer(names.rid(), "Documents");
    for (const item::ScannedItem& found : page.items) {
      AppendSeenJson(writer.Next(), found.document, names,
                     {.key = found.key, .lsn = found.lsn, .time = found.time});
    }
    Reply reply = std::move(writer).Finish();
    reply.charge = page.charge;
    reply.session = std::move(page.session);
    reply.continuation = std::move(page.continuation);
    AddOwner(reply, *container);
    return reply;
  }

  // One batch of the documents that the key has. False when it has none.
  SqlResult<bool> DeleteSome(const gateway::ContainerRef& container, const gateway::KeyValues& key,
                             Reply& reply) const {
    gateway::ScanSpec spec;
    spec.partition_key = key;
    spec.limits.items_max = kPageItemsDefault;
    SQL_ASSIGN(const gateway::ScanResponse page, parts_.gateway.Scan(container, spec, ""));
    reply.charge += page.charge;
    if (page.items.empty()) return false;
    gateway::WriteRequest request;
    request.container = container;
    request.partition_key = key;
    for (const item::ScannedItem& found : page.items) {
      request.operations.emplace_back();
      request.operations.back().kind = item::OperationKind::kDelete;
      request.operations.back().row_key = gateway::RowKeyOf(*container->schema, found.document);
    }
    const gateway::WriteResponse response = parts_.gateway.WriteAndWait(std::move(request));
    reply.charge += response.charge;
    // Somebody else deleted one of them meanwhile: look again.
    if (!response.status.has_value() && response.status.error().code() == Code::kNotFound)
      return true;
    if (!response.status.has_value()) return Fail(response.status.error());
    reply.session = response.session;
    return true;
  }

  const HandlerParts parts_;
};

}  // namespace

void AddFeedHandlers(HandlerTable& table, const HandlerParts& parts) {
  const Feeds feeds(parts);
  ThreadPool& pool = parts.gateway.io_pool();
  table.AddBlocking(pool, ResourceType::kDocument, Action::kReadFeed,
                    [=](const Call& call) { return feeds.Read(call); });
  table.AddBlocking(pool, ResourceType::kPartitionKeyOperation, Action::kExecute,
                    [=](const Call& call) { return feeds.DeletePartitionKey(call); });
}

}  // namespace orrery::sql
