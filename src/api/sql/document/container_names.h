// What a container and its documents are called besides their names: `_rid` and `_self`.
//
// A document's `_rid` follows from its keys, so nothing is stored for it: one that is deleted and
// created again has the same.
//
// Immutable, so thread-safe. Cheap enough to make once for each request.
#pragma once

#include <string>

#include "base/ids.h"
#include "gateway/requests.h"

namespace orrery::sql {

class ContainerNames {
 public:
  ContainerNames(DatabaseId database, ContainerId container);
  explicit ContainerNames(const gateway::ContainerEntry& entry)
      : ContainerNames(entry.database, entry.id) {}

  const std::string& rid() const { return rid_; }
  // "dbs/<rid>/colls/<rid>/"
  const std::string& self() const { return self_; }

  std::string DocumentRid(item::ItemRef key) const;
  // "dbs/<rid>/colls/<rid>/docs/<rid>/"
  std::string DocumentSelf(std::string_view document_rid) const;

 private:
  const DatabaseId database_;
  const ContainerId container_;
  const std::string rid_;
  const std::string self_;
};

}  // namespace orrery::sql
