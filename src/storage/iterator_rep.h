// Iterators and snapshots over RocksDB's. Internal to storage/.
#pragma once

#include <rocksdb/db.h>

#include <memory>

#include "storage/io_error_tracker.h"
#include "storage/iterator.h"

namespace orrery::storage {

class RocksSnapshot final : public Snapshot {
 public:
  explicit RocksSnapshot(rocksdb::DB& db) : db_(db), snapshot_(db.GetSnapshot()) {}
  ~RocksSnapshot() override { db_.ReleaseSnapshot(snapshot_); }
  uint64_t sequence() const override { return snapshot_->GetSequenceNumber(); }
  const rocksdb::Snapshot* raw() const { return snapshot_; }

  // Every Snapshot is made by Engine::TakeSnapshot, so the cast is sound. Null stays null.
  static const rocksdb::Snapshot* Raw(const Snapshot* snapshot) {
    return snapshot == nullptr ? nullptr : static_cast<const RocksSnapshot*>(snapshot)->raw();
  }

 private:
  rocksdb::DB& db_;  // must outlive the snapshot
  const rocksdb::Snapshot* const snapshot_;
};

// `path` names the engine in errors; all must outlive the iterator.
std::unique_ptr<Iterator> MakeIterator(rocksdb::DB& db, const std::string& path,
                                       const IoErrorTracker& tracker, ScanOptions options);

// An iterator that has no keys but an error.
std::unique_ptr<Iterator> MakeFailedIterator(Error why);

}  // namespace orrery::storage
