// Moving whole files: flush, checkpoint, drop, compact.
#include <fmt/core.h>
#include <rocksdb/convenience.h>
#include <rocksdb/utilities/checkpoint.h>

#include <thread>

#include "storage/engine/engine.h"
#include "storage/engine/engine_rep.h"
#include "storage/error_map.h"
#include "storage/slice_rep.h"

namespace orrery::storage {
namespace {

void SetAutomaticCompactions(rocksdb::DB& db, bool on) {
  // Only a typing error in the option's name could make it fail.
  db.SetOptions({{"disable_auto_compactions", on ? "false" : "true"}}).PermitUncheckedError();
}

class AutomaticCompactionHold : public Engine::CompactionHold {
 public:
  explicit AutomaticCompactionHold(rocksdb::DB& db) : db_(db) {
    SetAutomaticCompactions(db_, false);
  }
  ~AutomaticCompactionHold() override { SetAutomaticCompactions(db_, true); }

 private:
  rocksdb::DB& db_;
};

}  // namespace

Status Engine::Rep::FlushInTurn(bool wait) {
  Status flushed = breaker.Check();
  if (flushed.has_value()) {
    rocksdb::FlushOptions how;
    how.wait = wait;
    how.allow_write_stall = true;
    const Attempt attempt = Begin();
    flushed = attempt.Judge(MapStatus(db->Flush(how), "flushing", options.path));
    // RocksDB may have got half way to a new memtable, and asserts that it begins only once.
    if (!flushed.has_value()) breaker.Open(flushed.error());
  }
  flush_turn.GiveBack();
  return flushed;
}

void Engine::Rep::StartFlush() {
  if (!flush_turn.TryTake()) return;
  // The breaker has the error, too.
  static_cast<void>(FlushInTurn(/*wait=*/false));
}

size_t Engine::Rep::MemtableBytes() {
  uint64_t bytes = 0;
  db->GetIntProperty(rocksdb::DB::Properties::kCurSizeActiveMemTable, &bytes);
  return bytes;
}

// Its filter, and the blocks that its arena begins with.
size_t Engine::Rep::IdleBytes() const {
  const rocksdb::Options how = db->GetOptions();
  const auto filter_bytes = static_cast<size_t>(how.memtable_prefix_bloom_size_ratio *
                                                static_cast<double>(how.write_buffer_size));
  return filter_bytes + 2 * how.arena_block_size;
}

Status Engine::Flush() {
  rep_->flush_turn.Take();
  Status flushed = rep_->FlushInTurn(/*wait=*/true);
  if (!flushed.has_value()) rep_->resources.reclaimer.Remove(*rep_);
  return flushed;
}

Status Engine::CheckpointTo(const std::string& target) {
  ORRERY_TRY(rep_->breaker.Check());
  const rocksdb::IOStatus there =
      rep_->resources.file_system->FileExists(target, rocksdb::IOOptions(), nullptr);
  if (there.ok()) {
    return Fail(Code::kAlreadyExists, fmt::format("'{}' exists already", target));
  }
  if (!there.IsNotFound()) return MapStatus(there, "looking for", target);
  // RocksDB would do it, too, and go on after a failure.
  ORRERY_TRY(Flush());
  // RocksDB gathers the files in a directory beside the target.
  const std::string gathered = target + ".tmp";
  const Attempt here = rep_->Begin();
  const Attempt there_too(*rep_->resources.tracker, gathered);
  rocksdb::Checkpoint* raw = nullptr;
  ORRERY_TRY(here.Judge(
      MapStatus(rocksdb::Checkpoint::Create(rep_->db.get(), &raw), "checkpointing", path())));
  const std::unique_ptr<rocksdb::Checkpoint> checkpoint(raw);
  ORRERY_TRY(here.Judge(
      there_too.Judge(MapStatus(checkpoint->CreateCheckpoint(target, /*log_size_for_flush=*/0),
                                fmt::format("checkpointing to '{}' from", target), path()))));
  return rep_->resources.SyncParent(target);
}

Status Engine::DropRange(std::string_view begin, std::string_view end) {
  if (begin >= end) {
    return Fail(Code::kInvalidArgument, "a range to drop must begin before it ends");
  }
  ORRERY_TRY(rep_->breaker.Check());
  const rocksdb::Slice first = ToSlice(begin);
  const rocksdb::Slice limit = ToSlice(end);
  const Attempt attempt = rep_->Begin();
  // Files first: a file of the range may hold the only newer version of a key whose older ones sit
  // in files that stay. The tombstone after it covers those; before it, it could go with a file.
  ORRERY_TRY(attempt.Judge(MapStatus(
      rocksdb::DeleteFilesInRange(rep_->db.get(), rep_->db->DefaultColumnFamily(), &first, &limit,
                                  /*include_end=*/false),
      "dropping files of", path())));
  const WriteToken token(rep_->tokens);
  Status dropped = attempt.Judge(MapStatus(
      rep_->db->DeleteRange(rep_->durable_write, rep_->db->DefaultColumnFamily(), first, limit),
      "dropping a range of", path()));
  if (!dropped.has_value()) rep_->breaker.Open(dropped.error());
  return dropped;
}

Status Engine::Compact(std::string_view begin, std::string_view end) {
  // RocksDB would do it, too, and go on after a failure.
  ORRERY_TRY(Flush());
  rocksdb::CompactRangeOptions options;
  options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
  const rocksdb::Slice first = ToSlice(begin);
  const rocksdb::Slice limit = ToSlice(end);
  const Attempt attempt = rep_->Begin();
  return attempt.Judge(MapStatus(rep_->db->CompactRange(options, begin.empty() ? nullptr : &first,
                                                        end.empty() ? nullptr : &limit),
                                 "compacting", path()));
}

std::unique_ptr<Engine::CompactionHold> Engine::HoldCompactions(
    std::chrono::milliseconds patience) {
  auto hold = std::make_unique<AutomaticCompactionHold>(*rep_->db);
  constexpr std::chrono::milliseconds kStep{2};
  for (std::chrono::milliseconds waited{0}; waited < patience; waited += kStep) {
    uint64_t running = 0;
    rep_->db->GetIntProperty(rocksdb::DB::Properties::kNumRunningCompactions, &running);
    if (running == 0) break;
    std::this_thread::sleep_for(kStep);
  }
  return hold;
}

}  // namespace orrery::storage
