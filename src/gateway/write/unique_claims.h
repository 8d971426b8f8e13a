// What a document would be refused for, before it is written: for those who gather writes and want
// to hear of it at once. The write itself decides again.
//
// A claim is a unique key of the container with the values that a document has there, as opaque
// bytes; within its logical partition one item holds it.
//
// Thread-safe. Reads may block.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "cluster/topology.h"
#include "gateway/account/key_maker.h"
#include "gateway/catalog/catalog_entries.h"
#include "model/document/document.h"

namespace orrery::gateway {

// One for each unique key. kInvalidArgument when the document's ttl is none; kTooLarge when the
// values of a claim are too long.
Result<std::vector<std::string>> ClaimsOf(const ContainerEntry& container, const RoutedKey& key,
                                          model::DocumentView document);

// The encoded row key of the item that holds the claim; nothing when it is free at `now`.
Result<std::optional<std::string>> HolderOf(const cluster::Topology& topology,
                                            const ContainerEntry& container, const RoutedKey& key,
                                            const std::string& claim, Micros now);

}  // namespace orrery::gateway
