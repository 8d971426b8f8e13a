// Reading back the log of writes.
#include <fmt/core.h>
#include <rocksdb/transaction_log.h>

#include "storage/batch_rep.h"
#include "storage/engine/engine.h"
#include "storage/engine/engine_rep.h"
#include "storage/error_map.h"

namespace orrery::storage {
namespace {

// RocksDB counts these calls, so pins nest.
class FileDeletionPin final : public Engine::LogPin {
 public:
  explicit FileDeletionPin(rocksdb::DB& db) : db_(db) {
    db_.DisableFileDeletions().PermitUncheckedError();
  }
  ~FileDeletionPin() override { db_.EnableFileDeletions(/*force=*/false).PermitUncheckedError(); }

 private:
  rocksdb::DB& db_;  // must outlive the pin
};

std::unexpected<Error> Gap(const std::string& path, uint64_t sequence) {
  return Fail(
      Code::kNotFound,
      fmt::format("the log of '{}' no longer holds every write after position {}", path, sequence));
}

}  // namespace

uint64_t Engine::LatestSequence() const { return rep_->db->GetLatestSequenceNumber(); }

std::unique_ptr<Engine::LogPin> Engine::PinLog() {
  return std::make_unique<FileDeletionPin>(*rep_->db);
}

Result<uint64_t> Engine::ReadUpdatesSince(uint64_t sequence,
                                          const std::function<Status(Batch&)>& apply) const {
  const uint64_t last = LatestSequence();
  if (sequence == last) return last;
  if (sequence > last) {
    return Fail(Code::kInvalidArgument,
                fmt::format("position {} of '{}' is not written yet", sequence, path()));
  }
  const Attempt attempt = rep_->Begin();
  std::unique_ptr<rocksdb::TransactionLogIterator> log;
  const rocksdb::Status opened = rep_->db->GetUpdatesSince(sequence + 1, &log);
  if (opened.IsNotFound()) return Gap(path(), sequence);
  ORRERY_TRY(attempt.Judge(MapStatus(opened, "reading the log of", path())));

  uint64_t position = sequence;
  for (; position < last && log->Valid(); log->Next()) {
    rocksdb::BatchResult entry = log->GetBatch();
    const uint64_t end = entry.sequence + entry.writeBatchPtr->Count();
    if (end <= position + 1) continue;  // RocksDB starts at the log record before, at times
    if (entry.sequence > position + 1) return Gap(path(), position);
    if (entry.sequence <= position) {
      return Fail(Code::kInvalidArgument,
                  fmt::format("position {} of '{}' lies inside a batch", sequence, path()));
    }
    Batch batch;
    batch.rep_->batch = std::move(*entry.writeBatchPtr);
    ORRERY_TRY(apply(batch));
    position = end - 1;
  }
  if (position >= last) return position;
  // Files of the log were deleted under the reader, or positions were used without the log.
  const rocksdb::Status status = log->status();
  if (status.ok() || status.IsTryAgain() || status.IsNotFound() || status.IsPathNotFound()) {
    return Gap(path(), position);
  }
  return Fail(
      attempt.Judge(MapEngineError(status, fmt::format("reading the log of '{}'", path()))));
}

}  // namespace orrery::storage
