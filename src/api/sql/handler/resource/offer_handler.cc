#include "api/sql/handler/resource/offer_handler.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "api/sql/handler/list_page.h"
#include "api/sql/offer/auto_upgrade.h"
#include "api/sql/offer/offer.h"
#include "gateway/view/partition_ranges.h"

namespace orrery::sql {
namespace {

class Offers {
 public:
  explicit Offers(const HandlerParts& parts) : parts_(parts) {}

  SqlResult<Reply> Read(const Call& call) const {
    SQL_ASSIGN(const Offer offer, Find(call));
    return Seen(offer);
  }

  SqlResult<Reply> Replace(const Call& call) const {
    SQL_ASSIGN(const Offer offer, Find(call));
    SQL_TRY(CheckIfMatch(call, SeenOffer(offer, MinimumOf(offer), IsPendingNow(offer))));
    SQL_ASSIGN(const model::Document body, BodyOf(call));
    SQL_ASSIGN(const auto throughput,
               ChangedThroughput(offer, body, call.headers, MinimumOf(offer)));
    SQL_TRY(Catalog().SetThroughput(offer.database, ContainerOf(offer), throughput));
    SQL_TRY(KeepIncrement(offer, body));
    SQL_ASSIGN(const Offer changed, Find(call));
    return Seen(changed);
  }

  SqlResult<Reply> List(const Call& call) const {
    return ListPage("", "Offers", All(), call.headers);
  }

  SqlResult<Reply> Query(const Call& call) const {
    SQL_ASSIGN(const model::Document body, BodyOf(call));
    SQL_ASSIGN(const QueryText query, QueryTextFrom(body));
    SQL_ASSIGN(const auto rows, parts_.queries.Run(query, All()));
    return FeedReply("", "Offers", rows);
  }

 private:
  gateway::Catalog& Catalog() const { return parts_.gateway.catalog(); }

  static std::optional<std::string_view> ContainerOf(const Offer& offer) {
    if (!offer.container.has_value()) return std::nullopt;
    return *offer.container;
  }

  SqlResult<Offer> Find(const Call& call) const {
    const std::string& rid = call.path.steps.back().id;
    auto offer = FindOffer(*Catalog().snapshot(), rid);
    if (!offer.has_value())
      return Refuse(404, fmt::format("Resource Not Found: there is no offer '{}'", rid));
    return *std::move(offer);
  }

  int64_t MinimumOf(const Offer& offer) const {
    return Catalog().MinimumThroughput(offer.database, ContainerOf(offer)).value_or(0);
  }

  Reply Seen(const Offer& offer) const {
    const int64_t minimum = MinimumOf(offer);
    const bool is_pending = IsPendingNow(offer);
    Reply reply = ResourceReply(200, SeenOffer(offer, minimum, is_pending));
    reply.headers.Add("x-ms-cosmos-min-throughput", fmt::to_string(minimum));
    reply.headers.Add("x-ms-offer-replace-pending", is_pending ? "true" : "false");
    return reply;
  }

  bool IsPendingNow(const Offer& offer) const {
    return IsPending(offer, gateway::PartitionCount(parts_.gateway, offer.throughput_owner),
                     parts_.gateway.limits());
  }

  // Keeps by how much the maximum is to grow, if the new offer says it.
  SqlResult<void> KeepIncrement(const Offer& offer, model::DocumentView body) const {
    const model::Value sent = body.ToObject();
    const model::Value* content = sent.Find("content");
    const auto percent =
        IncrementIn(content == nullptr ? nullptr : content->Find("offerAutopilotSettings"));
    if (!percent.has_value() || percent == offer.increment) return {};
    if (!offer.container.has_value()) {
      SQL_ASSIGN(const gateway::DatabaseEntry entry, Catalog().FindDatabase(offer.database));
      SQL_TRY(Catalog().UpdateDatabase(entry.name, WithIncrement(entry.extra, *percent)));
      return {};
    }
    const MutexLock lock(parts_.container_changes);
    SQL_ASSIGN(const gateway::ContainerRef entry,
               Catalog().FindContainer(offer.database, *offer.container));
    gateway::ContainerSettings settings = entry->settings;
    settings.extra = WithIncrement(settings.extra, *percent);
    SQL_TRY(Catalog().UpdateContainer(offer.database, settings, entry.get()));
    return {};
  }

  std::vector<model::Value> All() const {
    std::vector<model::Value> seen;
    for (const Offer& offer : ListOffers(*Catalog().snapshot()))
      seen.push_back(SeenOffer(offer, MinimumOf(offer), IsPendingNow(offer)));
    return seen;
  }

  const HandlerParts parts_;
};

}  // namespace

void AddOfferHandlers(HandlerTable& table, const HandlerParts& parts) {
  const Offers offers(parts);
  const auto add = [&](Action action, SqlResult<Reply> (Offers::*method)(const Call&) const) {
    table.AddBlocking(parts.gateway.io_pool(), ResourceType::kOffer, action,
                      [=](const Call& call) { return (offers.*method)(call); });
  };
  add(Action::kRead, &Offers::Read);
  add(Action::kReplace, &Offers::Replace);
  add(Action::kReadFeed, &Offers::List);
  add(Action::kQuery, &Offers::Query);
}

}  // namespace orrery::sql
