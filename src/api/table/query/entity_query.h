// An EntityQuery is one page of a query over the entities of a table, which come in the order of
// PartitionKey and RowKey over all partitions, or in the reverse order.
//
// There are four ways to the entities, of which the first that fits is taken:
//   - one entity, where the filter names both keys
//   - an index over other properties: the keys that it finds are gathered and sorted, if they are
//     not too many
//   - one logical partition, where the filter names its key: in the order of row keys
//   - the index over partition keys, merged over all partitions
//
// Filters are evaluated on every entity that is found. A page ends when it has rows or bytes
// enough, has examined many entities, or has taken long; it may be empty and still be followed by
// others.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "api/table/auth/grant.h"
#include "api/table/filter/filter.h"
#include "api/table/protocol/continuation.h"
#include "base/clock.h"
#include "base/request_context.h"
#include "base/request_units.h"
#include "gateway/gateway.h"

namespace orrery::table {

inline constexpr size_t kPageRowsMax = 1'000;
inline constexpr size_t kPageBytesMax = size_t{4} << 20;

// Takes the entities of a page.
class EntitySink {
 public:
  virtual ~EntitySink() = default;
  // Returns how many bytes the page has so far.
  virtual size_t Add(model::DocumentView document, Micros time) = 0;
};

struct EntityQuery {
  gateway::ContainerRef container;
  std::shared_ptr<const Filter> filter{};  // null: all
  KeyScope scope{};                        // that the client may see
  std::optional<EntityPosition> after{};
  bool descending = false;
  size_t rows_max = kPageRowsMax;
};

struct EntityPage {
  size_t rows = 0;
  std::optional<EntityPosition> next{};  // none: there are no more
  RequestUnits charge{};
};

// Blocks. All must outlive the call.
Outcome<EntityPage> RunEntityQuery(gateway::Gateway& gateway, const Clock& clock,
                                   const RequestContext& context, const EntityQuery& query,
                                   EntitySink& sink);

// Returns the page if it is a small one and all that it takes is in memory; nullopt, without having
// blocked, if not: then what was given to `sink` is worthless. For an event loop.
std::optional<Outcome<EntityPage>> TryEntityQuery(gateway::Gateway& gateway, const Clock& clock,
                                                  const RequestContext& context,
                                                  const EntityQuery& query, EntitySink& sink);

}  // namespace orrery::table
