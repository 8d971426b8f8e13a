// Reads a container out, page by page in ring order, in the form of archives (archive_batch.h).
//
// Of rows: what is visible, with what was deleted by a partition's or a range's deletion taken out.
// Deletions within a row stay with it; those of whole rows, ranges and partitions that hide
// everything they cover are left behind, as a fresh table has nothing for them to hide.
//
// Thread-safe. The gateways must outlive it.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "gateway/archive/archive_batch.h"
#include "gateway/gateway.h"
#include "gateway/row/row_gateway.h"

namespace orrery::gateway {

struct ArchivePage {
  ArchiveBatch batch;        // may be empty before the end
  std::string continuation;  // empty when done; good after splits, merges and restarts
};

class ArchiveReader {
 public:
  ArchiveReader(Gateway& gateway, RowGateway& rows) : gateway_(gateway), rows_(rows) {}

  // Errors as of Gateway::Scan. Blocks.
  Result<ArchivePage> Read(const ContainerRef& container, std::string_view continuation) const;

 private:
  Result<ArchivePage> ReadDocuments(const ContainerRef& container,
                                    std::string_view continuation) const;
  Result<ArchivePage> ReadRows(const ContainerRef& container, std::string_view continuation) const;

  Gateway& gateway_;
  RowGateway& rows_;
};

}  // namespace orrery::gateway
