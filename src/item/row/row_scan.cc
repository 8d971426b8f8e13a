// Scans of rows in key order: by ring position, then partition key, then clustering key.
#include "item/row/row_page_builder.h"
#include "item/row/row_reader.h"

namespace orrery::item {

// Lives for one page.
class RowScan {
 public:
  RowScan(const RowReader& reader, const RowScanRequest& request, const PageLimits& limits,
          storage::ReadMode mode)
      : reader_(reader),
        request_(request),
        clustered_(!reader.schema_.rows->clustering.empty()),
        mode_(mode),
        page_(limits) {}

  Result<RowPage> Run(const std::optional<std::string>& continuation) {
    ORRERY_TRY(Start(continuation));
    while (cursor_->Valid()) {
      if (page_.full()) return std::move(page_).Cut();
      page_.Look(cursor_->value().size());
      if (Status visited = Visit(); !visited.has_value()) {
        return std::move(page_).Failed(std::move(visited).error());
      }
    }
    if (Status status = cursor_->status(); !status.has_value()) {
      return std::move(page_).Failed(std::move(status).error());
    }
    return std::move(page_).Finish();
  }

 private:
  ContainerId container() const { return reader_.schema_.id; }
  std::string PrefixOf(Hash128 hash, std::string_view partition_key) const {
    return LogicalPartitionPrefix(Space::kRow, container(), hash, partition_key);
  }

  Status Start(const std::optional<std::string>& continuation) {
    KeyBounds bounds = RingBounds(Space::kRow, container(), reader_.range_);
    if (request_.partition_key.has_value()) {
      if (!reader_.range_.Contains(request_.hash)) {
        return Fail(Code::kMoved, "the key is in another partition");
      }
      const std::string prefix = PrefixOf(request_.hash, *request_.partition_key);
      bounds = {prefix, PrefixEnd(prefix)};
    }
    if (!continuation.has_value()) {
      if (request_.descending) ORRERY_TRY(Enter(request_.hash, *request_.partition_key, 0));
      return Open(std::move(bounds));
    }
    ORRERY_ASSIGN(const RowResume resume, DecodeResume(*continuation, Space::kRow, container()));
    const auto key = DecodeKey(resume.key);
    if (resume.after_partition) {
      bounds.lower = std::max(bounds.lower, PrefixEnd(PrefixOf(key->hash, key->partition_key)));
      return Open(std::move(bounds));
    }
    // In the middle of a partition; only what a split has given away is not ours.
    if (reader_.range_.Contains(key->hash)) {
      ORRERY_TRY(Enter(key->hash, key->partition_key, resume.rows));
    }
    if (request_.descending) {
      bounds.upper = std::min(bounds.upper, resume.key);
    } else {
      bounds.lower = std::max(bounds.lower, resume.key + '\0');
    }
    return Open(std::move(bounds));
  }

  Status Open(KeyBounds bounds) {
    if (request_.descending) {
      // Rows only: the static_row was read on entering.
      bounds.lower = std::max(bounds.lower, prefix_ + kAfterStaticRow);
      if (request_.lower.has_value())
        bounds.lower = std::max(bounds.lower, prefix_ + *request_.lower);
      if (request_.upper.has_value())
        bounds.upper = std::min(bounds.upper, prefix_ + *request_.upper);
    }
    if (bounds.lower >= bounds.upper) bounds.upper = bounds.lower + '\0';
    cursor_ = reader_.engine_.NewIterator(
        {.lower = std::move(bounds.lower), .upper = std::move(bounds.upper), .mode = mode_});
    request_.descending ? cursor_->SeekToLast() : cursor_->SeekToFirst();
    return {};
  }

  // Goes into a partition whose static_row is not under the cursor.
  Status Enter(Hash128 hash, std::string_view partition_key, uint64_t rows_before) {
    RowReader::StaticRow static_row;
    if (clustered_) {
      ORRERY_ASSIGN(static_row, reader_.ReadStaticRow(hash, partition_key, mode_));
    }
    Enter(hash, partition_key, rows_before, std::move(static_row));
    return {};
  }
  void Enter(Hash128 hash, std::string_view partition_key, uint64_t rows_before,
             RowReader::StaticRow static_row) {
    prefix_ = PrefixOf(hash, partition_key);
    tombstones_ = std::move(static_row.tombstones);
    page_.Begin(hash, partition_key, rows_before);
    page_.SetStaticRow(std::move(static_row.row));
  }

  Status Visit() {
    const auto key = DecodeKey(cursor_->key());
    if (!key.has_value()) return Fail(Code::kCorruption, "a stored row's key is damaged");
    if (!page_.inside() || !cursor_->key().starts_with(prefix_)) {
      if (page_.inside()) page_.End();
      ORRERY_TRY(EnterAtCursor(*key));
    }
    if (clustered_ && key->row_key.empty()) {
      page_.Done(cursor_->key(), /*whole_partition=*/false);
      if (request_.lower.has_value() && !request_.descending) {
        cursor_->Seek(prefix_ + *request_.lower);
      } else {
        Step();
      }
      return {};
    }
    return VisitRow(*key);
  }

  Status EnterAtCursor(const DecodedKey& key) {
    RowReader::StaticRow static_row;
    if (clustered_ && key.row_key.empty()) {
      ORRERY_ASSIGN(static_row,
                    reader_.MakeStaticRow(key.hash, key.partition_key, cursor_->value(), mode_));
    }
    Enter(key.hash, key.partition_key, 0, std::move(static_row));
    return {};
  }

  Status VisitRow(const DecodedKey& key) {
    if (!request_.descending && request_.lower.has_value() && key.row_key < *request_.lower) {
      page_.Done(cursor_->key(), /*whole_partition=*/false);
      cursor_->Seek(prefix_ + *request_.lower);
      return {};
    }
    if (!request_.descending && request_.upper.has_value() && key.row_key >= *request_.upper) {
      SkipPartition();
      return {};
    }
    const model::Deletion covering_deletion = tombstones_.At(key.row_key);
    ORRERY_ASSIGN(const bool visible, reader_.IsVisible(cursor_->value(), covering_deletion));
    if (visible) page_.Add(key.row_key, cursor_->value(), covering_deletion);
    if (request_.rows_per_partition_max != 0 &&
        page_.rows_of_partition() >= request_.rows_per_partition_max) {
      SkipPartition();
      return {};
    }
    page_.Done(cursor_->key(), /*whole_partition=*/false);
    Step();
    return {};
  }

  // The rest of the partition is not wanted.
  void SkipPartition() {
    page_.End();
    page_.Done(cursor_->key(), /*whole_partition=*/true);
    cursor_->Seek(PrefixEnd(prefix_));  // of a single partition: beyond the bounds, and done
  }

  void Step() { request_.descending ? cursor_->Prev() : cursor_->Next(); }

  // The static_row's key goes on with 00, that of a row with its first component's class.
  static constexpr char kAfterStaticRow = 1;

  const RowReader& reader_;
  const RowScanRequest& request_;
  const bool clustered_;
  const storage::ReadMode mode_;
  RowPageBuilder page_;
  std::unique_ptr<storage::Iterator> cursor_;
  std::string prefix_;  // of the partition under way
  PartitionTombstones tombstones_;
};

Result<RowPage> RowReader::Scan(const RowScanRequest& request,
                                const std::optional<std::string>& continuation,
                                const PageLimits& limits, storage::ReadMode mode) const {
  if (request.index.has_value()) return ScanIndex(request, continuation, limits, mode);
  if (request.descending && !request.partition_key.has_value()) {
    return Fail(Code::kInvalidArgument, "rows come backwards within one logical partition only");
  }
  return RowScan(*this, request, limits, mode).Run(continuation);
}

}  // namespace orrery::item
