// The calls of the admin interface that move data (portal/handler/archive_handler.h), as values.
//
// A server that is too busy, or gone for a moment (a partition moves, a node restarts), is asked
// again for up to a minute; all of these calls may be repeated. Not thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "cli/admin_client.h"
#include "gateway/archive/archive_batch.h"
#include "gateway/archive/archive_catalog.h"
#include "gateway/archive/archive_digest.h"

namespace orrery::cli {

class ArchiveClient {
 public:
  explicit ArchiveClient(AdminClient client) : client_(std::move(client)) {}

  const std::string& url() const { return client_.url(); }

  // Not repeated: the first call tells whether there is a server at all.
  Result<gateway::ArchivedCatalog> ReadCatalog();
  // As gateway::Restore: true when it was made.
  Result<bool> Restore(const gateway::ArchivedDatabase& database);
  Result<bool> Restore(const gateway::ArchivedContainer& container);

  struct Page {
    std::string batch;  // encoded
    std::string continuation;
  };
  Result<Page> Read(const gateway::ArchivedContainer& container, std::string_view continuation);

  // Returns when all items are stored, however long the container's throughput makes it.
  Status Write(const gateway::ArchivedContainer& container, std::string batch);

  struct DigestPage {
    gateway::ArchiveDigest digest;
    std::string continuation;
  };
  Result<DigestPage> Digest(const gateway::ArchivedContainer& container,
                            std::string_view continuation);

 private:
  Result<std::string> Exchange(std::string_view method, std::string_view path,
                               std::string_view content_type, const std::string& body);
  Result<model::Document> Ask(std::string_view path, std::string_view content_type,
                              const std::string& body);

  AdminClient client_;
};

}  // namespace orrery::cli
