// The representation of a Batch. Internal to storage/.
#pragma once

#include <rocksdb/write_batch.h>

#include "storage/batch.h"

namespace orrery::storage {

struct Batch::Rep {
  rocksdb::WriteBatch batch;
  // The first refusal of an entry (keys and values end at 4 GB); Engine::Write answers with it.
  rocksdb::Status refused;

  void Note(const rocksdb::Status& status) {
    if (!status.ok() && refused.ok()) refused = status;
  }
};

}  // namespace orrery::storage
