#include "api/mongo/executor/cursor/cursor_run.h"

#include <fmt/format.h>

namespace orrery::mongo {
namespace {

// The bytes of a run beside its rows: scans with what they have read ahead.
constexpr size_t kRunBytes = size_t{16} << 10;
// Rows between looks at the time.
constexpr uint64_t kRowsPerLook = 8;

}  // namespace

size_t CursorRun::bytes() const {
  return kRunBytes + (next_.has_value() ? next_->document.bson().size() : 0);
}

Answer<bool> CursorRun::Fill(model::DocumentBuilder& array, uint64_t rows_max, bool may_cut) {
  if (failure_.has_value()) return std::unexpected(*std::move(failure_));
  size_t bytes = 0;
  given_ = 0;
  for (uint64_t i = 0; i < rows_max; ++i) {
    if (may_cut && i > 0 && i % kRowsPerLook == 0 && state_->is_late()) return true;
    if (!next_.has_value()) {
      auto row = rows_->Next();
      // Events that were found before are not lost by the failure of a later one.
      if (!row.has_value() && tail_ != nullptr && i > 0) {
        failure_ = std::move(row).error();
        return true;
      }
      MONGO_ASSIGN(next_, std::move(row));
    }
    if (!next_.has_value()) return tail_ != nullptr && !tail_->has_ended();
    const size_t size = next_->document.bson().size();
    if (size > kBatchBytesMax) {
      return Refuse(ErrorCode::kBsonObjectTooLarge,
                    fmt::format("BSONObj size: {} (0x{:X}) is invalid. Size must be between 0 and "
                                "16793600(16MB)",
                                size, size));
    }
    if (i > 0 && bytes + size > kBatchBytesMax) return true;
    bytes += size;
    array.AppendDocument(fmt::format_int(i).str(), next_->document);
    ++given_;
    next_.reset();
  }
  return true;
}

}  // namespace orrery::mongo
