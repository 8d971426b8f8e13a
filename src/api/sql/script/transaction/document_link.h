// Links to the container a script runs on and to its documents, in both of their forms:
//
//   container := "dbs/" name "/colls/" name               by name (alt link)
//              | "dbs/" rid  "/colls/" rid "/"            by resource id (self link)
//   document  := container "/docs/" (id | rid)            slashes at either end do not count
//
// A script may mix them: behind a self link an id is taken, too, when it is no resource id.
// Pure.
#pragma once

#include <string>
#include <string_view>

#include "api/sql/document/container_names.h"
#include "base/status.h"
#include "gateway/catalog/catalog_entries.h"

namespace orrery::sql {

// "dbs/<name>/colls/<name>"
std::string AltLinkOf(const gateway::ContainerEntry& container);

struct DocumentLink {
  enum class By : uint8_t { kId, kRid } by = By::kId;
  std::string name;
  friend bool operator==(const DocumentLink&, const DocumentLink&) = default;
};

class LinkReader {
 public:
  explicit LinkReader(const gateway::ContainerEntry& container);

  const std::string& self() const { return self_; }
  const std::string& alt() const { return alt_; }

  // kInvalidArgument unless it is a link to the container.
  Status CheckContainer(std::string_view link) const;
  // kInvalidArgument unless it is a link to one of its documents.
  Result<DocumentLink> ReadDocument(std::string_view link) const;

 private:
  const std::string self_;
  const std::string alt_;
};

}  // namespace orrery::sql
