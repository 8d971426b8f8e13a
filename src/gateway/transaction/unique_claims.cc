#include "gateway/transaction/unique_claims.h"

#include "item/write/prepared_item.h"

namespace orrery::gateway {

Result<std::vector<std::string>> ClaimsOf(const ContainerEntry& container, const RoutedKey& key,
                                          model::DocumentView document) {
  const item::ContainerSchema& schema = *container.schema;
  ORRERY_ASSIGN([[maybe_unused]] const auto lifetime, item::LifetimeOf(schema, document));
  return item::UniqueKeysOf(schema, key.hash, key.encoded, document);
}

}  // namespace orrery::gateway
