// Reading and writing; opening is in engine_open.cc, whole files in engine_files.cc, the log in
// engine_log.cc.
#include "storage/engine/engine.h"

#include <fmt/core.h>

#include <new>

#include "storage/batch_rep.h"
#include "storage/engine/engine_rep.h"
#include "storage/error_map.h"
#include "storage/iterator_rep.h"
#include "storage/slice_rep.h"

namespace orrery::storage {

Engine::Engine(std::unique_ptr<Rep> rep) : rep_(std::move(rep)) {
  rep_->resources.reclaimer.Add(*rep_->db);
}

Engine::~Engine() { rep_->resources.reclaimer.Remove(*rep_->db); }

Status Engine::Write(Batch& batch, Durability durability) {
  if (!batch.rep_->refused.ok()) {
    return Fail(Code::kInvalidArgument,
                "a batch has an entry that cannot be stored: " + batch.rep_->refused.ToString());
  }
  if (batch.empty()) return {};
  ORRERY_TRY(rep_->fuse.Check());
  rep_->resources.reclaimer.Reclaim();
  const rocksdb::WriteOptions& options =
      durability == Durability::kDurable ? rep_->durable_write : rep_->os_write;
  Status written = MapStatus(rep_->db->Write(options, &batch.rep_->batch), "writing to", path());
  if (!written.has_value()) {
    rep_->fuse.Blow(written.error());
    rep_->resources.reclaimer.Remove(*rep_->db);
  }
  return written;
}

Result<bool> Engine::Get(std::string_view key, PinnedValue& value, ReadMode mode,
                         const Snapshot* snapshot) const {
  auto& slot = *std::launder(reinterpret_cast<rocksdb::PinnableSlice*>(value.storage_));
  slot.Reset();
  const rocksdb::ReadOptions& shared =
      mode == ReadMode::kCachedOnly ? rep_->cached_read : rep_->blocking_read;
  rocksdb::DB& db = *rep_->db;
  rocksdb::Status status;
  if (snapshot == nullptr) {
    status = db.Get(shared, db.DefaultColumnFamily(), ToSlice(key), &slot);
  } else {
    rocksdb::ReadOptions own = shared;
    own.snapshot = RocksSnapshot::Raw(snapshot);
    status = db.Get(own, db.DefaultColumnFamily(), ToSlice(key), &slot);
  }
  if (status.ok()) return true;
  slot.Reset();
  if (status.IsNotFound()) return false;
  return Fail(MapEngineError(status, fmt::format("reading from '{}'", path())));
}

std::unique_ptr<Iterator> Engine::NewIterator(ScanOptions options) const {
  return MakeIterator(*rep_->db, path(), std::move(options));
}

std::unique_ptr<Snapshot> Engine::TakeSnapshot() const {
  return std::make_unique<RocksSnapshot>(*rep_->db);
}

uint64_t Engine::ApproximateBytes(std::string_view begin, std::string_view end) const {
  rocksdb::SizeApproximationOptions what;
  what.include_files = true;
  what.include_memtables = true;
  const rocksdb::Range range(ToSlice(begin), ToSlice(end));
  uint64_t bytes = 0;
  // An estimate that cannot be had is as good as none.
  rep_->db->GetApproximateSizes(what, rep_->db->DefaultColumnFamily(), &range, 1, &bytes)
      .PermitUncheckedError();
  return bytes;
}

EngineStats Engine::Stats() const {
  using Properties = rocksdb::DB::Properties;
  rocksdb::DB& db = *rep_->db;
  const auto number = [&db](const std::string& property) {
    uint64_t value = 0;
    db.GetIntProperty(property, &value);
    return value;
  };
  EngineStats stats;
  stats.live_bytes = number(Properties::kEstimateLiveDataSize);
  stats.disk_bytes = number(Properties::kTotalSstFilesSize);
  stats.memtable_bytes = number(Properties::kCurSizeAllMemTables);
  stats.key_count = number(Properties::kEstimateNumKeys);
  stats.write_stopped = number(Properties::kIsWriteStopped) != 0;
  std::string files;
  for (int level = 0; level < db.NumberLevels(); ++level) {
    if (db.GetProperty(Properties::kNumFilesAtLevelPrefix + std::to_string(level), &files)) {
      stats.table_files += std::stoull(files);
    }
  }
  return stats;
}

const std::string& Engine::path() const { return rep_->options.path; }

const MergeRule* Engine::merge_rule() const { return rep_->options.merge_rule; }

}  // namespace orrery::storage
