// Which of a container's named indexes (item/index/index_policy.h) a query may use. Pure.
#pragma once

#include <optional>

#include "api/sql/query/index/place.h"

namespace orrery::sql {

// Whether all documents are in it already.
bool IsBuilt(const item::ContainerSchema& schema, const item::NamedIndex& index);

Place PlaceAt(const model::Path& path);

// The index of that kind over the one place, when there is one and it is built.
std::optional<item::IndexId> FindNamedIndex(const item::ContainerSchema& schema,
                                            item::IndexKind kind, const Place& place);

}  // namespace orrery::sql
