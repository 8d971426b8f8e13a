// Finds what the steps of a path name, by names or by resource ids, in one snapshot of the catalog.
//
// A name wins over an id that looks the same. Containers of rows are not documents' and are not
// found here.
//
// Immutable; lives for one request.
#pragma once

#include <memory>
#include <vector>

#include "api/sql/http/error_response.h"
#include "api/sql/request/request_headers.h"
#include "api/sql/resource/resource_path.h"
#include "gateway/catalog/catalog.h"

namespace orrery::sql {

class Finder {
 public:
  explicit Finder(const gateway::Catalog& catalog) : snapshot_(catalog.snapshot()) {}

  const gateway::CatalogSnapshot& snapshot() const { return *snapshot_; }

  // 404, with the substatus of a missing owner when the path goes on below it.
  SqlResult<gateway::DatabaseRef> Database(const ResourcePath& path) const;

  struct Found {
    gateway::ContainerRef container;
    bool by_rid = false;  // then ids of documents below it are rids as well
  };
  // Also 400/1024 when the container is not the one that the client believes it to be.
  SqlResult<Found> Container(const ResourcePath& path, const RequestHeaders& headers) const;

  // Of documents only.
  std::vector<gateway::ContainerRef> Containers(DatabaseId database) const;

 private:
  const std::shared_ptr<const gateway::CatalogSnapshot> snapshot_;
};

}  // namespace orrery::sql
