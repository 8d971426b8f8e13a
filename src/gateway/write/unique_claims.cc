#include "gateway/write/unique_claims.h"

#include <fmt/format.h>

#include "item/layout/entry_codec.h"
#include "item/write/prepared_item.h"

namespace orrery::gateway {

Result<std::vector<std::string>> ClaimsOf(const ContainerEntry& container, const RoutedKey& key,
                                          model::DocumentView document) {
  const item::ContainerSchema& schema = *container.schema;
  ORRERY_ASSIGN([[maybe_unused]] const auto lifetime, item::LifetimeOf(schema, document));
  return item::UniqueKeysOf(schema, key.hash, key.encoded, document);
}

Result<std::optional<std::string>> HolderOf(const cluster::Topology& topology,
                                            const ContainerEntry& container, const RoutedKey& key,
                                            const std::string& claim, Micros now) {
  const cluster::HostedPartition* partition = topology.Route(container.id, key.hash);
  if (partition == nullptr) {
    return Fail(Code::kUnavailable,
                fmt::format("container '{}' is not open", container.settings.name));
  }
  storage::PinnedValue stored;
  ORRERY_ASSIGN(const bool found, partition->engine().Get(claim, stored));
  if (!found) return std::nullopt;
  ORRERY_ASSIGN(const item::UniqueEntry holder, item::DecodeUniqueEntry(stored.view()));
  if (holder.expiry.has_value() && *holder.expiry <= now) return std::nullopt;
  return std::string(holder.row_key);
}

}  // namespace orrery::gateway
