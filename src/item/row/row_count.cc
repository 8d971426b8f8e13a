#include "item/row/row_count.h"
#include "item/row/size_sample.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "item/row/row_index.h"
#include "item/row/row_reader.h"
#include "model/key/key_codec.h"
#include "model/row/row_codec.h"
#include "model/row/row_merge.h"

namespace orrery::item {

// Lives for one count.
class RowCounter {
 public:
  RowCounter(const storage::Engine& engine, const ContainerSchema& schema, Hash128 hash,
             std::string_view partition_key, Micros now)
      : engine_(engine),
        schema_(schema),
        hash_(hash),
        partition_key_(partition_key),
        now_(now),
        snapshot_(engine.TakeSnapshot()),
        reader_(engine, schema, partition::HashRange::Inclusive(hash, hash), now) {}

  Result<RowCount> Count() {
    RowCount count;
    storage::PinnedValue stored;
    ORRERY_ASSIGN(const bool recorded,
                  engine_.Get(SizesKey(schema_.id, hash_, partition_key_), stored,
                              storage::ReadMode::kMayBlock, snapshot_.get()));
    if (recorded) {
      ORRERY_ASSIGN(count.recorded, DecodeTotals(stored.view()));
    }
    if (!schema_.rows->clustering.empty()) {
      ORRERY_ASSIGN(const RowReader::StaticRow static_row,
                    reader_.ReadStaticRow(hash_, partition_key_, storage::ReadMode::kMayBlock));
      tombstones_ = static_row.tombstones;
    }
    const std::string prefix =
        LogicalPartitionPrefix(Space::kRow, schema_.id, hash_, partition_key_);
    const auto cursor = engine_.NewIterator({.lower = prefix,
                                             .upper = PrefixEnd(prefix),
                                             .snapshot = snapshot_.get(),
                                             .fill_cache = false});
    for (cursor->SeekToFirst(); cursor->Valid(); cursor->Next()) {
      ORRERY_ASSIGN(const Totals row, CountRow(cursor->key(), cursor->value()));
      count.counted += row;
    }
    ORRERY_TRY(cursor->status());
    return count;
  }

 private:
  Result<Totals> CountRow(std::string_view key, std::string_view value) {
    const auto decoded = DecodeKey(key);
    if (!decoded.has_value()) return Fail(Code::kCorruption, "a stored row's key is damaged");
    const model::Deletion covering_deletion =
        decoded->row_key.empty() ? model::Deletion() : tombstones_.At(decoded->row_key);
    ORRERY_ASSIGN(const bool visible, reader_.IsVisible(value, covering_deletion));
    if (!visible) return Totals{};
    Totals totals{static_cast<int64_t>(key.size() + value.size()), 1};
    if (!schema_.rows->indexes.empty()) {
      ORRERY_ASSIGN(const int64_t bytes,
                    CountIndexEntries(decoded->row_key, value, covering_deletion));
      totals.bytes += bytes;
    }
    return totals;
  }

  Result<int64_t> CountIndexEntries(std::string_view clustering, std::string_view value,
                                    const model::Deletion& covering_deletion) {
    const auto now_s =
        static_cast<uint32_t>(std::chrono::duration_cast<std::chrono::seconds>(now_).count());
    model::Row row;
    ORRERY_TRY(model::DecodeRow(value, row));
    if (!model::Purge(row, covering_deletion, now_s)) return 0;
    ByteReader reader(partition_key_);
    ORRERY_ASSIGN(const model::Value serialized, model::ReadKey(reader));
    int64_t bytes = 0;
    for (const RowTerm& term :
         TermsOf(schema_.rows->indexes, schema_.rows->clustering,
                 {serialized.AsBytes(), schema_.rows->composite_key, clustering}, row)) {
      WriteIndexKey(key_, schema_.id, term.index, term.value, {hash_, partition_key_, clustering});
      WriteIndexEntry(value_, {.expiry = term.expiry});
      bytes += static_cast<int64_t>(key_.size() + value_.size());
    }
    return bytes;
  }

  const storage::Engine& engine_;
  const ContainerSchema& schema_;
  const Hash128 hash_;
  const std::string_view partition_key_;
  const Micros now_;
  const std::unique_ptr<storage::Snapshot> snapshot_;
  const RowReader reader_;
  PartitionTombstones tombstones_;
  std::string key_;
  std::string value_;
};

namespace {

class CorrectSizeMutation final : public partition::Mutation {
 public:
  CorrectSizeMutation(CountedKey key, const RowCount& count, Ledger& ledger,
                      std::move_only_function<void(Result<Totals>)> done)
      : key_(std::move(key)), count_(count), ledger_(ledger), done_(std::move(done)) {}

  Status Evaluate(partition::GroupWriter& writer) override {
    ledger_.Begin();
    Status status = Correct(writer);
    if (!status.has_value()) ledger_.Rollback();
    return status;
  }
  void Complete(std::unique_ptr<Mutation> /*self*/, Result<Lsn> outcome) override {
    done_(outcome.has_value() ? Result<Totals>(size_) : Fail(std::move(outcome).error()));
  }
  size_t bytes() const override { return sizeof(*this) + key_.partition_key.size(); }

 private:
  Status Correct(partition::GroupWriter& writer) {
    ORRERY_ASSIGN(size_, ledger_.SizeOf(writer, key_.container, key_.hash, key_.partition_key));
    Totals change = count_.counted;
    change += -count_.recorded;
    change = {std::max(change.bytes, -size_.bytes), std::max(change.items, -size_.items)};
    if (change == Totals{}) return {};
    ORRERY_ASSIGN(size_, ledger_.RecordChange(writer, key_.container, key_.hash, key_.partition_key,
                                              size_, change, /*bytes_max=*/0));
    return {};
  }

  const CountedKey key_;
  const RowCount count_;
  Ledger& ledger_;
  std::move_only_function<void(Result<Totals>)> done_;
  Totals size_;
};

}  // namespace

Result<RowCount> CountRows(const storage::Engine& engine, const ContainerSchema& schema,
                           Hash128 hash, std::string_view partition_key, Micros now) {
  return RowCounter(engine, schema, hash, partition_key, now).Count();
}

std::unique_ptr<partition::Mutation> CorrectSize(
    CountedKey key, const RowCount& count, Ledger& ledger,
    std::move_only_function<void(Result<Totals>)> done) {
  return std::make_unique<CorrectSizeMutation>(std::move(key), count, ledger, std::move(done));
}

Status RecordRowChange(Ledger& ledger, partition::GroupWriter& writer, ContainerId container,
                       Hash128 hash, std::string_view partition_key, Totals change,
                       uint64_t bytes_max) {
  const uint64_t grain = SampleGrain(ledger.BytesOf(container), bytes_max);
  const Totals sample = SampleOf(change, grain, writer.lsn());
  if (sample == Totals{}) return ledger.RecordTotals(container, change);
  ORRERY_ASSIGN(const Totals size, ledger.SizeOf(writer, container, hash, partition_key));
  const auto bytes = static_cast<uint64_t>(std::max<int64_t>(size.bytes + sample.bytes, 0));
  if (bytes_max != 0 && sample.bytes > 0 && bytes > bytes_max &&
      !ledger.size_counts().Refuses({container, hash, std::string(partition_key)}, bytes, bytes_max,
                                    writer.now())) {
    bytes_max = 0;
  }
  ORRERY_TRY(ledger.RecordChange(writer, container, hash, partition_key, size, sample, bytes_max));
  Totals rest = change;
  rest += -sample;
  if (rest != Totals{}) ORRERY_TRY(ledger.RecordTotals(container, rest));
  return {};
}

}  // namespace orrery::item
