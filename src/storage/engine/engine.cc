// Reading and writing; opening is in engine_open.cc, whole files in engine_files.cc and
// engine_salvage.cc, the log in engine_log.cc.
#include "storage/engine/engine.h"

#include <fmt/core.h>

#include <new>

#include "storage/batch_rep.h"
#include "storage/engine/engine_rep.h"
#include "storage/error_map.h"
#include "storage/iterator_rep.h"
#include "storage/log/unsynced_mark.h"
#include "storage/slice_rep.h"

namespace orrery::storage {
namespace {

Error HeldUp() { return {Code::kWouldBlock, "the partition is slow on demand"}; }

}  // namespace

Engine::Engine(std::unique_ptr<Rep> rep) : rep_(std::move(rep)) {
  rep_->resources.reclaimer.Add(*rep_);
}

Engine::~Engine() { rep_->resources.reclaimer.Remove(*rep_); }

Status Engine::Rep::MarkUnsynced() {
  if (marked.load(std::memory_order_acquire)) return {};
  MutexLock lock(mark_mutex);
  if (marked.load(std::memory_order_relaxed)) return {};
  ORRERY_TRY(SetUnsyncedMark(*resources.file_system, options.path));
  marked.store(true, std::memory_order_release);
  return {};
}

Status Engine::Rep::Apply(Batch& batch, const rocksdb::WriteOptions& how) {
  if (!batch.rep_->refused.ok()) {
    return Fail(Code::kInvalidArgument,
                "a batch has an entry that cannot be stored: " + batch.rep_->refused.ToString());
  }
  if (batch.empty()) return {};
  ORRERY_TRY(breaker.Check());
  resources.reclaimer.Reclaim();
  if (resources.slow.any()) resources.slow.HoldUp(options.path, ReadMode::kMayBlock);
  const Attempt attempt = Begin();
  const WriteToken token(tokens);
  Status written =
      attempt.Judge(MapStatus(db->Write(how, &batch.rep_->batch), "writing to", options.path));
  if (!written.has_value()) {
    breaker.Open(written.error());
    resources.reclaimer.Remove(*this);
  }
  return written;
}

Status Engine::Write(Batch& batch, Durability durability) {
  if (durability == Durability::kDurable) return rep_->Apply(batch, rep_->durable_write);
  if (Status marked = rep_->MarkUnsynced(); !marked.has_value()) {
    rep_->breaker.Open(marked.error());
    return marked;
  }
  return rep_->Apply(batch, rep_->os_write);
}

Status Engine::WriteUnlogged(Batch& batch) { return rep_->Apply(batch, rep_->unlogged_write); }

Status Engine::SyncWrites() {
  if (!rep_->marked.load(std::memory_order_acquire)) return {};
  ORRERY_TRY(rep_->breaker.Check());
  const Attempt attempt = rep_->Begin();
  Status synced = attempt.Judge(MapStatus(rep_->db->SyncWAL(), "syncing the log of", path()));
  if (!synced.has_value()) rep_->breaker.Open(synced.error());
  return synced;
}

std::optional<Error> Engine::WriteFailure() const { return rep_->breaker.Failure(); }

void Engine::StopWriting(const Error& why) {
  rep_->breaker.Open(why);
  rep_->resources.reclaimer.Remove(*rep_);
}

Result<bool> Engine::Get(std::string_view key, PinnedValue& value, ReadMode mode,
                         const Snapshot* snapshot) const {
  auto& slot = *std::launder(reinterpret_cast<rocksdb::PinnableSlice*>(value.storage_));
  slot.Reset();
  if (rep_->IsHeldUp(mode)) return Fail(HeldUp());
  const rocksdb::ReadOptions& shared =
      mode == ReadMode::kCachedOnly ? rep_->cached_read : rep_->blocking_read;
  rocksdb::DB& db = *rep_->db;
  const Attempt attempt = rep_->Begin();
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
  return Fail(attempt.Judge(MapEngineError(status, fmt::format("reading from '{}'", path()))));
}

std::unique_ptr<Iterator> Engine::NewIterator(ScanOptions options) const {
  if (rep_->IsHeldUp(options.mode)) return MakeFailedIterator(HeldUp());
  return MakeIterator(*rep_->db, path(), *rep_->resources.tracker, std::move(options));
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
