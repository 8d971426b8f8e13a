// A unique claim is one unique key of a container with the values that a document has there, as
// opaque bytes. Within its logical partition at most one item holds a claim.
//
// These functions tell before a write what the write would be refused for; the write itself decides
// again. Gateway::HolderOf finds who holds a claim, on whichever node that is.
//
// Pure.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "gateway/account/key_maker.h"
#include "gateway/catalog/catalog_entries.h"
#include "model/document/document.h"

namespace orrery::gateway {

// Returns one claim for each unique key. kInvalidArgument when the document's ttl is invalid;
// kTooLarge when the values of a claim are too long.
Result<std::vector<std::string>> ClaimsOf(const ContainerEntry& container, const RoutedKey& key,
                                          model::DocumentView document);

}  // namespace orrery::gateway
