// A PreparedItem is all that can be computed from a document before its turn to be written comes:
// on the caller's thread, without reading anything stored. The sequencer, which all writers of a
// partition share, then has little left to do.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/hash128.h"
#include "base/status.h"
#include "item/container_schema.h"
#include "item/index/index_terms.h"
#include "item/index/unique_keys.h"
#include "item/layout/record_codec.h"
#include "model/document/document.h"

namespace orrery::item {

struct PreparedItem {
  RecordBuffer record;
  std::vector<IndexTerm> terms;
  std::vector<std::string> unique_keys;  // whole keys (unique_keys.h)
  std::optional<Micros> lifetime;        // nullopt: never expires
  std::optional<Micros> written_at{};    // nullopt: when its turn comes
  std::string note{};                    // Operation::note

  // Roughly what it adds to a batch.
  size_t bytes() const;
};

// kInvalidArgument when its ttl is not one; kTooLarge when it has too many index terms or too long
// unique values.
Result<PreparedItem> Prepare(const ContainerSchema& schema, Hash128 hash,
                             std::string_view partition_key, model::DocumentView document);

// Returns how long an item lives after its last write: the container's default or the item's own
// ttl. kInvalidArgument unless the item's own is a positive whole number of seconds or -1 (never).
Result<std::optional<Micros>> LifetimeOf(const ContainerSchema& schema,
                                         model::DocumentView document);

}  // namespace orrery::item
