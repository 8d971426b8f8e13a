// Writes items of an archive into a container, with the times they had (archive_batch.h).
//
// Writing an item again changes nothing: a document takes the place of what is there, rows merge by
// time, and a counter gets only what it lacks. The latter looks first, so two who write the same
// counters at once may count twice.
//
// Thread-safe. The gateways must outlive it.
#pragma once

#include <cstddef>

#include "base/status.h"
#include "gateway/archive/archive_batch.h"
#include "gateway/gateway.h"
#include "gateway/row/row_gateway.h"

namespace orrery::gateway {

struct ArchiveWritten {
  size_t items = 0;        // so many from the first on are stored
  bool throttled = false;  // the container's throughput allows no more right now
};

class ArchiveWriter {
 public:
  ArchiveWriter(Gateway& gateway, RowGateway& rows) : gateway_(gateway), rows_(rows) {}

  // kInvalidArgument when the container has items of the other kind, or one does not fit into it;
  // then some of the others may be stored. Blocks.
  Result<ArchiveWritten> Write(const ContainerRef& container, ArchiveBatch batch) const;

 private:
  Result<ArchiveWritten> WriteItems(const ContainerRef& container,
                                    ArchivedDocuments documents) const;
  Result<ArchiveWritten> WriteItems(const ContainerRef& container, ArchivedRows rows) const;
  // Takes from the row's counters what the stored ones have already.
  Status LeaveOutCounted(const ContainerRef& container, ArchivedRow& row) const;

  Gateway& gateway_;
  RowGateway& rows_;
};

}  // namespace orrery::gateway
