// A StreamScope is what a change stream watches: a collection, a database, or all of them.
//
// Watching has a price: containers keep all versions of their documents for the readers of their
// feed. So they do from the first time that somebody watches them (or wants images of them), and
// then for kStreamHistory. A collection that does not exist yet, and those of a database that is
// watched as a whole, keep them from their creation: that is noted in the `extra` of the database,
// of `config` for the whole deployment ({mongo: {watched: true}}).
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "api/mongo/catalog/collection.h"
#include "api/mongo/catalog/namespace.h"
#include "api/mongo/error/mongo_error.h"
#include "gateway/gateway.h"

namespace orrery::mongo {

// The time for which events can be read again.
inline constexpr std::chrono::hours kStreamHistory{24};
// The same after their collection was dropped.
inline constexpr std::chrono::hours kDroppedHistory{1};

struct StreamScope {
  enum class Kind : uint8_t { kCollection, kDatabase, kDeployment };
  Kind kind = Kind::kCollection;
  Namespace name{};  // without a collection: of the database

  bool Has(std::string_view database, std::string_view collection) const;
};

// Returns whether a collection's changes are kept for streams, so that they need notes.
inline bool NeedsNotes(const Collection& collection) {
  return collection.container->schema->feed_retention.count() > 0;
}
// Returns whether the options of a collection ask for images of its documents.
bool WantsImages(model::DocumentView options);

// Returns whether containers of rows, or the server's own, are meant: no stream tells of them.
bool IsWatchable(const gateway::ContainerEntry& container);
bool IsInternalDatabase(std::string_view database);

// Returns whether new collections of the database must keep all versions from the beginning.
bool IsWatched(const gateway::CatalogSnapshot& catalog, std::string_view database);

// Has everything in scope keep all versions. Blocks.
Outcome Watch(gateway::Gateway& gateway, const StreamScope& scope);
// The same for one container. kNotFound if it was dropped.
Status KeepHistory(gateway::Gateway& gateway, const gateway::ContainerEntry& container);

// Forgets what is older than streams may read. Blocks; call it now and then.
void PurgeStreamHistory(gateway::Gateway& gateway);

// The minutes that a container's feed keeps all versions.
inline constexpr uint32_t kHistoryMinutes =
    std::chrono::duration_cast<std::chrono::minutes>(kStreamHistory).count();

}  // namespace orrery::mongo
