// The named indexes of a container (item/index/index_policy.h) that a query may use. Pure.
#pragma once

#include <optional>

#include "query/predicate/document_path.h"

namespace orrery::query {

// Returns whether all documents are in it already.
bool IsBuilt(const item::ContainerSchema& schema, const item::NamedIndex& index);

// Returns the index of that kind over the one path, if there is one and it is built.
std::optional<item::IndexId> FindNamedIndex(const item::ContainerSchema& schema,
                                            item::IndexKind kind, const DocumentPath& path);

}  // namespace orrery::query
