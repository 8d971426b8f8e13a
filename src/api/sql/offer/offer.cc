#include "api/sql/offer/offer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/sql/container/database_form.h"
#include "api/sql/document/container_names.h"
#include "api/sql/document/etag.h"
#include "api/sql/offer/auto_upgrade.h"
#include "api/sql/resource/resource_id.h"

namespace orrery::sql {
namespace {

using model::Kind;
using model::Value;
using partition::ThroughputKind;
using partition::ThroughputSettings;

constexpr uint64_t kNumbers = uint64_t{1} << 24;
constexpr int64_t kAutoscaleStep = 1'000;
constexpr int64_t kAutoscaleSpan = 10;  // it scales between a tenth of the maximum and all of it

// Even numbers are databases', odd ones containers'.
std::string OfferRid(uint64_t id, bool container) {
  return FormatRid(ResourceId::Offer(static_cast<uint32_t>((id * 2 + container) % kNumbers)));
}

Offer OfferOf(const gateway::DatabaseEntry& entry) {
  const std::string rid = DatabaseRid(entry.id);
  return {.database = entry.name,
          .container = std::nullopt,
          .rid = OfferRid(entry.id.value(), false),
          .resource = fmt::format("dbs/{}/", rid),
          .resource_rid = rid,
          .throughput = entry.throughput,
          .increment = KeptIncrement(entry.extra),
          .highest = entry.highest_throughput,
          .throughput_owner = cluster::ThroughputOwner::Of(entry.id)};
}

Offer OfferOf(const gateway::ContainerEntry& entry) {
  const ContainerNames names(entry);
  return {.database = entry.database_name,
          .container = entry.settings.name,
          .rid = OfferRid(entry.id.value(), true),
          .resource = names.self(),
          .resource_rid = names.rid(),
          .throughput = entry.settings.throughput,
          .increment = KeptIncrement(entry.settings.extra),
          .highest = entry.highest_throughput,
          .throughput_owner = entry.throughput_owner};
}

const Value* FindInteger(const Value* object, std::string_view name) {
  const Value* value = object == nullptr ? nullptr : object->Find(name);
  const bool integer =
      value != nullptr && (value->kind() == Kind::kInt32 || value->kind() == Kind::kInt64);
  return integer ? value : nullptr;
}

}  // namespace

std::vector<Offer> ListOffers(const gateway::CatalogSnapshot& catalog) {
  std::vector<Offer> offers;
  const auto databases = catalog.ListDatabases();
  for (const gateway::DatabaseRef& database : databases)
    if (database->throughput.kind != ThroughputKind::kNone) offers.push_back(OfferOf(*database));
  for (const gateway::DatabaseRef& database : databases) {
    for (const gateway::ContainerRef& container : catalog.ListContainers(database->id))
      if (container->settings.throughput.kind != ThroughputKind::kNone)
        offers.push_back(OfferOf(*container));
  }
  return offers;
}

std::optional<Offer> FindOffer(const gateway::CatalogSnapshot& catalog, std::string_view rid) {
  std::vector<Offer> offers = ListOffers(catalog);
  const auto found = std::ranges::find(offers, rid, &Offer::rid);
  if (found == offers.end()) return std::nullopt;
  return std::move(*found);
}

Value SeenOffer(const Offer& offer, int64_t minimum, bool is_pending) {
  const int64_t rate = offer.throughput.request_units_per_second;
  const bool autoscale = offer.throughput.kind == ThroughputKind::kAutoscale;
  Value content =
      Value::Object({{"offerThroughput", Value::Int64(autoscale ? rate / kAutoscaleSpan : rate)},
                     {"offerIsRUPerMinuteThroughputEnabled", Value::Bool(false)},
                     {"offerMinimumThroughputParameters",
                      Value::Object({{"maxThroughputEverProvisioned", Value::Int64(offer.highest)},
                                     {"minThroughput", Value::Int64(minimum)}})}});
  if (autoscale) {
    Value settings = Value::Object({{"maxThroughput", Value::Int64(rate)}});
    if (offer.increment.has_value())
      settings.MutableFields().push_back({"autoUpgradePolicy", SeenIncrement(*offer.increment)});
    content.MutableFields().push_back({"offerAutopilotSettings", std::move(settings)});
  }
  if (is_pending) content.MutableFields().push_back({"isOfferReplacePending", Value::Bool(true)});
  return Value::Object({{"id", Value::String(offer.rid)},
                        {"resource", Value::String(offer.resource)},
                        {"offerType", Value::String("Invalid")},
                        {"offerResourceId", Value::String(offer.resource_rid)},
                        {"offerVersion", Value::String("V2")},
                        {"content", std::move(content)},
                        {"_rid", Value::String(offer.rid)},
                        {"_self", Value::String(fmt::format("offers/{}/", offer.rid))},
                        {"_etag", Value::String(FormatEtag(Lsn(static_cast<uint64_t>(rate))))},
                        {"_ts", Value::Int64(0)}});
}

bool IsPending(const Offer& offer, size_t partitions, const partition::Limits& limits) {
  return offer.throughput_owner != cluster::ThroughputOwner::SharedPool() &&
         partitions < partition::PartitionCountFor(offer.throughput, limits);
}

Result<ThroughputSettings> ChangedThroughput(const Offer& offer, model::DocumentView body,
                                             const RequestHeaders& headers, int64_t minimum) {
  const bool autoscale = offer.throughput.kind == ThroughputKind::kAutoscale;
  const int64_t rate = offer.throughput.request_units_per_second;
  if (headers.migrate_to_autoscale && !autoscale) {
    const int64_t most = std::max(rate, kAutoscaleStep);
    return ThroughputSettings::Autoscale((most + kAutoscaleStep - 1) / kAutoscaleStep *
                                         kAutoscaleStep);
  }
  if (headers.migrate_to_manual && autoscale)
    return ThroughputSettings::Manual(std::max(rate, minimum));

  const Value sent = body.ToObject();
  const Value* content = sent.Find("content");
  const Value* settings = content == nullptr ? nullptr : content->Find("offerAutopilotSettings");
  if (const Value* most = FindInteger(settings, "maxThroughput"); most != nullptr) {
    if (!autoscale) {
      return Fail(Code::kInvalidArgument,
                  "the throughput is manual: the header "
                  "x-ms-cosmos-migrate-offer-to-autopilot: true makes it autoscale");
    }
    return ThroughputSettings::Autoscale(most->AsInteger());
  }
  const Value* manual = FindInteger(content, "offerThroughput");
  if (manual == nullptr) {
    return Fail(Code::kInvalidArgument,
                "'content.offerThroughput' or 'content.offerAutopilotSettings.maxThroughput' is "
                "required and must be a whole number");
  }
  if (autoscale) {
    return Fail(Code::kInvalidArgument,
                "the throughput is autoscale: change 'content.offerAutopilotSettings', or make it "
                "manual by the header x-ms-cosmos-migrate-offer-to-manual-throughput: true");
  }
  return ThroughputSettings::Manual(manual->AsInteger());
}

}  // namespace orrery::sql
