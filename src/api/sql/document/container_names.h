// ContainerNames computes the `_rid` and `_self` of a container and its documents.
//
// A document's `_rid` follows from its keys, so nothing is stored for it: one that is deleted and
// created again has the same. The first bits of its number are those of its place on the ring, so
// that documents of different parts of the ring are in the same order by both. Clients that merge
// partitions take documents with equal values of ORDER BY to be in the order of their numbers.
//
// Immutable, so thread-safe. Cheap enough to make once for each request.
#pragma once

#include <string>

#include "base/ids.h"
#include "gateway/requests.h"

namespace orrery::sql {

// The number of bits of the ring with which a document's number begins.
inline constexpr int kRidRingBits = 22;

class ContainerNames {
 public:
  ContainerNames(DatabaseId database, ContainerId container);
  explicit ContainerNames(const gateway::ContainerEntry& entry)
      : ContainerNames(entry.database, entry.id) {}

  const std::string& rid() const { return rid_; }
  // "dbs/<rid>/colls/<rid>/"
  const std::string& self() const { return self_; }

  std::string DocumentRid(item::ItemRef key) const;
  // The number in it, below 2^60.
  static uint64_t DocumentNumber(item::ItemRef key);
  // "dbs/<rid>/colls/<rid>/docs/<rid>/"
  std::string DocumentSelf(std::string_view document_rid) const;

 private:
  const DatabaseId database_;
  const ContainerId container_;
  const std::string rid_;
  const std::string self_;
};

}  // namespace orrery::sql
