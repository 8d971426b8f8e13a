#include "item/row/row_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/bytes.h"
#include "item/layout/key_layout.h"
#include "item/price_list.h"
#include "model/key/key_codec.h"
#include "model/row/row_codec.h"
#include "model/row/row_merge.h"

namespace orrery::item {
namespace {

// Returns the feed's kind of a change. A row that is only deleted has neither liveness nor cells.
Result<ChangeKind> KindOf(std::string_view row, bool& inserts, bool& grows) {
  ORRERY_ASSIGN(model::RowCursor cursor, model::RowCursor::Open(row));
  inserts = cursor.liveness().has_value();
  model::Cell cell;
  bool has_cell = false;
  grows = inserts;
  for (;;) {
    ORRERY_ASSIGN(const bool found, cursor.Next(cell));
    if (!found) break;
    has_cell = true;
    if (cell.kind != model::CellKind::kTombstone) {
      grows = true;
      break;
    }
  }
  return inserts || has_cell || !cursor.deletion().exists() ? ChangeKind::kReplace
                                                            : ChangeKind::kDelete;
}

// Mostly the first one is wanted; at least two, the partition's own row is skipped.
constexpr size_t kKeysPerLook = 8;

// Without the escapes that a stored key has.
std::string Serialized(std::string_view partition_key) {
  ByteReader reader(partition_key);
  const auto value = model::ReadKey(reader);
  const bool sound = value.has_value() && value->kind() == model::Kind::kBinary;
  return sound ? value->AsBytes() : std::string();
}

}  // namespace

RowWriter::RowWriter(partition::GroupWriter& writer, GroupChanges& feed,
                     const ContainerSchema& schema, Hash128 hash, std::string_view partition_key,
                     RowBuffers& buffers)
    : writer_(writer),
      feed_(feed),
      schema_(schema),
      hash_(hash),
      partition_key_(partition_key),
      buffers_(buffers) {}

uint32_t RowWriter::now_s() const {
  return static_cast<uint32_t>(
      std::chrono::duration_cast<std::chrono::seconds>(writer_.now()).count());
}

Result<std::optional<model::Row>> RowWriter::Read(std::string_view clustering) {
  ORRERY_ASSIGN(const auto stored, Load(clustering));
  charge_ += PriceOfPointRead(stored.has_value() ? stored->size() : 0);
  if (!stored.has_value()) return std::nullopt;
  ORRERY_ASSIGN(const PartitionTombstones* tombstones, Tombstones());
  std::optional<model::Row> row(std::in_place);
  ORRERY_TRY(model::DecodeRow(*stored, *row));
  if (!model::Purge(*row, tombstones->At(clustering), now_s())) row.reset();
  return row;
}

Result<bool> RowWriter::CollectKeys(const RowRange& range, size_t limit,
                                    std::vector<std::string>& keys) {
  const std::string prefix = LogicalPartitionPrefix(Space::kRow, schema_.id, hash_, partition_key_);
  const bool clustered = !schema_.rows->clustering.empty();
  const size_t before = keys.size();
  bool sound = true;
  const Status scanned = writer_.ScanKeys(
      prefix + range.lower, range.upper.has_value() ? prefix + *range.upper : PrefixEnd(prefix),
      limit + 1,  // the partition's own row may be among them
      [&](std::string_view key) {
        const auto decoded = DecodeKey(key);
        sound = sound && decoded.has_value();
        if (sound && !(clustered && decoded->row_key.empty())) keys.emplace_back(decoded->row_key);
      });
  if (!sound) return Fail(Code::kCorruption, "a stored row's key is damaged");
  const bool more = !scanned.has_value() && scanned.error().code() == Code::kTooLarge;
  if (!more) ORRERY_TRY(scanned);
  if (keys.size() - before <= limit) return more;
  keys.resize(before + limit);
  return true;
}

Result<std::vector<std::string>> RowWriter::KeysIn(const RowRange& range, size_t limit) {
  std::vector<std::string> found;
  ORRERY_ASSIGN(const bool more, CollectKeys(range, limit, found));
  if (!more) return found;
  return Fail(Code::kTooLarge,
              fmt::format("the ranges of this write have more than {} rows, which must all be "
                          "examined: take smaller ranges",
                          kRowProgramRangeRowsMax));
}

Status RowWriter::LookThrough(
    size_t limit, const std::function<Result<bool>(std::string_view, const model::Row&)>& visit) {
  RowRange rest;
  std::vector<std::string> keys;
  for (size_t examined = 0; examined < limit; examined += keys.size()) {
    keys.clear();
    ORRERY_ASSIGN(const bool more, CollectKeys(rest, std::min(kKeysPerLook, limit), keys));
    for (const std::string& key : keys) {
      ORRERY_ASSIGN(const std::optional<model::Row> row, Read(key));
      if (!row.has_value()) continue;
      ORRERY_ASSIGN(const bool go_on, visit(key, *row));
      if (!go_on) return {};
    }
    if (!more || keys.empty()) return {};
    rest.lower = keys.back() + '\0';
  }
  return {};
}

Result<std::optional<std::string_view>> RowWriter::Load(std::string_view clustering) {
  WriteRowKey(key_, schema_.id, {hash_, partition_key_, clustering});
  ORRERY_ASSIGN(const auto stored, writer_.Get(key_));
  if (!stored.has_value()) return std::nullopt;
  std::string& copy = NewBuffer();
  copy.assign(*stored);
  return std::string_view(copy);
}

Result<const PartitionTombstones*> RowWriter::Tombstones() {
  if (tombstones_.has_value()) return &*tombstones_;
  PartitionTombstones tombstones;
  if (!schema_.rows->clustering.empty()) {
    ORRERY_ASSIGN(const auto stored, Load({}));
    if (stored.has_value()) {
      model::Row static_row;
      ORRERY_TRY(model::DecodeRow(*stored, static_row));
      tombstones.whole = static_row.deletion;
      if (HasRangeTombstoneMark(static_row)) {
        ORRERY_ASSIGN(tombstones.range_tombstones,
                      ReadRangeTombstones(writer_, schema_.id, hash_, partition_key_));
      }
    }
  }
  tombstones_ = std::move(tombstones);
  return &*tombstones_;
}

Status RowWriter::Apply(RowChanges& changes) {
  for (const RangeTombstone& range : changes.range_tombstones)
    ORRERY_TRY(ApplyRangeTombstone(range));
  for (RowChange& change : changes.rows) ORRERY_TRY(ApplyRow(change));
  return {};
}

Status RowWriter::ApplyRangeTombstone(const RangeTombstone& range) {
  ORRERY_TRY(InsertRangeTombstone(writer_, schema_.id, hash_, partition_key_, range));
  std::string& key = NewBuffer();
  WriteRowKey(key, schema_.id, {hash_, partition_key_, {}});
  std::string& mark = NewBuffer();
  // Without a position: the static cells beside it did not change.
  mark = MarkRangeTombstones(range.deletion);
  writer_.Merge(key, mark);
  tombstones_.reset();
  WriteRangeTombstoneValue(value_, range);
  AddToFeed(ChangeKind::kDelete, range.lower, value_);
  charge_ += PriceOfWrite({.bytes_before = 0});
  return {};
}

Status RowWriter::ApplyRow(RowChange& change) {
  model::StampRow(change.row, writer_.lsn());
  std::string& key = NewBuffer();
  WriteRowKey(key, schema_.id, {hash_, partition_key_, change.clustering});
  if (!schema_.rows->indexes.empty()) ORRERY_TRY(UpdateIndexEntries(change));
  bool inserts = false;
  bool grows = false;
  ORRERY_ASSIGN(const ChangeKind kind, KindOf(change.row, inserts, grows));
  if (grows && row_bytes_max_ > 0 && writer_.MayHaveGrown(key, change.row.size())) {
    if (Status fits = CheckMerged(change); !fits.has_value()) {
      writer_.NoteFull(key);
      return fits;
    }
  }
  writer_.Merge(key, change.row);
  if (change.clustering.empty()) tombstones_.reset();
  AddToFeed(kind, change.clustering, std::nullopt);
  if (grows) change_ += {static_cast<int64_t>(key.size() + change.row.size()), inserts ? 1 : 0};
  charge_ += grows ? PriceOfWrite({.bytes_after = change.row.size()})
                   : PriceOfWrite({.bytes_before = change.row.size()});
  return {};
}

Status RowWriter::CheckMerged(const RowChange& change) {
  ORRERY_ASSIGN(const auto stored, Load(change.clustering));
  if (!stored.has_value() || stored->size() + change.row.size() <= row_bytes_max_) return {};
  // What is overwritten or deleted does not count.
  ORRERY_ASSIGN(const PartitionTombstones* tombstones, Tombstones());
  model::Row before;
  model::Row after;
  model::RowMerger merger;
  ORRERY_TRY(model::DecodeRow(*stored, before));
  ORRERY_TRY(model::DecodeRow(change.row, after));
  merger.Add(before);
  merger.Add(after);
  model::Row merged = std::move(merger).row();
  if (!model::Purge(merged, tombstones->At(change.clustering), now_s())) return {};
  std::string bytes;
  model::EncodeRow(bytes, merged);
  if (bytes.size() <= row_bytes_max_) return {};
  return Fail(Code::kTooLarge,
              fmt::format("the row is too large: it would have {} bytes, the most is {}; delete "
                          "some of it first",
                          bytes.size(), row_bytes_max_));
}

std::vector<RowTerm> RowWriter::TermsIn(const std::vector<RowIndex>& indexes,
                                        std::string_view clustering,
                                        const model::Deletion& covering_deletion,
                                        model::Row& row) const {
  if (!model::Purge(row, covering_deletion, now_s())) return {};
  const std::string serialized = Serialized(partition_key_);
  return TermsOf(indexes, schema_.rows->clustering,
                 {serialized, schema_.rows->composite_key, clustering}, row);
}

void RowWriter::PutIndexEntry(const RowTerm& term, std::string_view clustering) {
  WriteIndexKey(key_, schema_.id, term.index, term.value, {hash_, partition_key_, clustering});
  WriteIndexEntry(value_, {.expiry = term.expiry});
  writer_.PutUnread(key_, value_);
  change_.bytes += static_cast<int64_t>(key_.size() + value_.size());
}

Status RowWriter::UpdateIndexEntries(const RowChange& change) {
  ORRERY_ASSIGN(const PartitionTombstones* tombstones, Tombstones());
  const model::Deletion at = tombstones->At(change.clustering);
  ORRERY_ASSIGN(const auto stored, Load(change.clustering));
  const std::vector<RowIndex>& indexes = schema_.rows->indexes;
  std::vector<RowTerm> before;
  model::RowMerger merger;
  if (stored.has_value()) {
    model::Row row;
    ORRERY_TRY(model::DecodeRow(*stored, row));
    merger.Add(row);
    before = TermsIn(indexes, change.clustering, at, row);
  }
  model::Row written;
  ORRERY_TRY(model::DecodeRow(change.row, written));
  merger.Add(written);
  model::Row merged = merger.row();
  const std::vector<RowTerm> after = TermsIn(indexes, change.clustering, at, merged);

  const auto has = [](const std::vector<RowTerm>& terms, const RowTerm& term) {
    return std::ranges::find(terms, term) != terms.end();
  };
  uint64_t added = 0;
  uint64_t removed = 0;
  for (const RowTerm& term : before) {
    if (has(after, term)) continue;
    WriteIndexKey(key_, schema_.id, term.index, term.value,
                  {hash_, partition_key_, change.clustering});
    writer_.DeleteUnread(key_);
    ++removed;
  }
  for (const RowTerm& term : after) {
    if (has(before, term)) continue;
    PutIndexEntry(term, change.clustering);
    ++added;
  }
  charge_ += PriceOfWrite({.index_terms_added = added, .index_terms_removed = removed});
  return {};
}

Status RowWriter::IndexStored(std::string_view clustering, const std::vector<RowIndex>& indexes) {
  ORRERY_ASSIGN(const auto stored, Load(clustering));
  if (!stored.has_value()) return {};
  ORRERY_ASSIGN(const PartitionTombstones* tombstones, Tombstones());
  model::Row row;
  ORRERY_TRY(model::DecodeRow(*stored, row));
  for (const RowTerm& term : TermsIn(indexes, clustering, tombstones->At(clustering), row)) {
    PutIndexEntry(term, clustering);
  }
  return {};
}

void RowWriter::AddToFeed(ChangeKind kind, std::string_view clustering,
                          std::optional<std::string_view> image) {
  feed_.Add(schema_.id, writer_.lsn(), hash_, next_seq_++,
            {.kind = kind,
             .superseded = kind == ChangeKind::kDelete,
             .time = writer_.now(),
             .partition_key = partition_key_,
             .row_key = clustering,
             .image = image});
}

}  // namespace orrery::item
