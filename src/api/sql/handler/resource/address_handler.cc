#include "api/sql/handler/resource/address_handler.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "api/sql/document/container_names.h"
#include "api/sql/handler/finder.h"
#include "gateway/view/container_ranges.h"
#include "gateway/view/partition_owner.h"
#include "net/http/url.h"

namespace orrery::sql {
namespace {

using model::Value;

constexpr size_t kAddressesMax = 1'000;
constexpr std::string_view kMasterRange = "M";  // of databases, users and permissions

// Numbers that stand between commas; others are ids of no range.
std::vector<PartitionId> RangeIds(std::string_view text) {
  std::vector<PartitionId> ids;
  while (!text.empty() && ids.size() < kAddressesMax) {
    const std::string_view id = text.substr(0, text.find(','));
    text.remove_prefix(std::min(id.size() + 1, text.size()));
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number);
    if (error == std::errc() && end == id.data() + id.size()) ids.emplace_back(number);
  }
  return ids;
}

class Addresses {
 public:
  explicit Addresses(const HandlerParts& parts) : parts_(parts) {}

  SqlResult<Reply> Resolve(const Call& call) const {
    if (parts_.direct.port.load(std::memory_order_acquire) == 0) {
      return Refuse(400,
                    "Direct mode is not served here: it is off (--sql-direct-port 0) or has no TLS "
                    "(--tls off). Use gateway mode: gatewayMode() in Java, ConnectionMode.Gateway "
                    "in .NET");
    }
    const std::string_view filter = call.request.Query("$filter").value_or("");
    if (!filter.empty() && !net::EqualsIgnoringCase(filter, "protocol eq rntbd"))
      return Refuse(400, "addresses are those of the protocol rntbd; use the default, TCP");
    if (call.path.steps.size() < 2 || call.path.steps[1].type != ResourceType::kContainer)
      return Seen({Address(call, kMasterRange, std::nullopt)});
    SQL_ASSIGN(const auto found,
               Finder(parts_.gateway.catalog()).Container(call.path, call.headers));
    model::Values addresses;
    for (const PartitionId id : RangesOf(call, *found.container)) {
      // One that has split or merged is left out: clients then read the ranges again.
      if (!gateway::FindRange(parts_.gateway, *found.container, id).has_value()) continue;
      addresses.push_back(Address(call, fmt::to_string(id.value()), id));
    }
    Reply reply = Seen(std::move(addresses));
    AddOwner(reply, *found.container);
    return reply;
  }

 private:
  std::vector<PartitionId> RangesOf(const Call& call,
                                    const gateway::ContainerEntry& container) const {
    if (const auto named = call.request.Query("$partitionKeyRangeIds"); named.has_value())
      return RangeIds(*named);
    std::vector<PartitionId> ids;
    if (const auto ranges = gateway::RangesOf(parts_.gateway, container); ranges.has_value())
      for (const gateway::ContainerRange& range : *ranges) ids.push_back(range.partition);
    return ids;
  }

  Value Address(const Call& call, std::string_view range,
                std::optional<PartitionId> partition) const {
    const net::HostPort place = PlaceOf(call, partition);
    return Value::Object(
        {{"isPrimary", Value::Bool(true)},
         {"protocol", Value::String("rntbd")},
         {"logicalUri", Value::String(fmt::format("urn:orrery:{}", range))},
         {"physcialUri",
          Value::String(fmt::format("rntbd://{}/apps/orrery/services/{}/partitions/{}/replicas/1p/",
                                    net::FormatHostPort(place),
                                    net::PercentEncode(parts_.gateway.accounts().name()), range))},
         {"partitionKeyRangeId", Value::String(std::string(range))}});
  }

  net::HostPort PlaceOf(const Call& call, std::optional<PartitionId> partition) const {
    const auto owner =
        partition.has_value() ? gateway::OwnerElsewhere(parts_.gateway, *partition) : std::nullopt;
    if (owner.has_value()) {
      if (const auto node = parts_.direct.Serving(*owner))
        return {node->address, node->sql_direct_port};
    }
    // As the client has reached this process: port mappings and names of networks work.
    const auto host =
        net::ParseHostPort(call.request.headers.Find("host").value_or("localhost"), uint16_t{0});
    return {host.has_value() ? host->host : "localhost",
            parts_.direct.port.load(std::memory_order_acquire)};
  }

  static Reply Seen(model::Values addresses) {
    const auto count = addresses.size();
    Reply reply = ResourceReply(
        200, Value::Object({{"_rid", Value::String("")},
                            {"Addresss", Value::Array(std::move(addresses))},  // spelled so
                            {"_count", Value::Int64(static_cast<int64_t>(count))}}));
    reply.charge = RequestUnits();
    return reply;
  }

  const HandlerParts parts_;
};

}  // namespace

void AddAddressHandlers(HandlerTable& table, const HandlerParts& parts) {
  const Addresses addresses(parts);
  for (const ResourceType type :
       {ResourceType::kDatabase, ResourceType::kContainer, ResourceType::kDocument,
        ResourceType::kStoredProcedure, ResourceType::kConflict, ResourceType::kUser,
        ResourceType::kPermission}) {
    table.AddBlocking(parts.gateway.io_pool(), type, Action::kResolveAddresses,
                      [=](const Call& call) { return addresses.Resolve(call); });
  }
}

}  // namespace orrery::sql
