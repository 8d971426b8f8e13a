#include "item/write/version_writer.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace orrery::item {
namespace {

std::string UniqueConflictText(const UniqueKeyRule& rule) {
  std::string message =
      "another item of this logical partition has the same value of the unique key";
  for (const auto& path : rule.paths) {
    message += message.back() == 'y' ? " " : ", ";
    message += path.ToString();
  }
  return message;
}

bool Holds(const StoredVersion* version, std::string_view unique_key) {
  return version != nullptr &&
         std::ranges::find(version->unique_keys, unique_key) != version->unique_keys.end();
}

std::optional<Micros> ExpiryAfter(Micros time, const std::optional<Micros>& lifetime) {
  if (!lifetime.has_value()) return std::nullopt;
  return time + *lifetime;
}

}  // namespace

VersionWriter::VersionWriter(partition::GroupWriter& writer, const ContainerSchema& schema)
    : writer_(writer), schema_(schema) {}

Result<StoredVersion> VersionWriter::Describe(ItemRef item, std::string_view data_key,
                                              size_t stored_bytes, const RecordView& record) const {
  StoredVersion version;
  version.header = record;
  version.document_bytes = record.document.size();
  version.bytes = data_key.size() + stored_bytes;
  const auto document = model::DocumentView::Trusted(record.document);
  ORRERY_ASSIGN(version.terms, StoredTermsOf(schema_, document));
  ORRERY_ASSIGN(version.unique_keys,
                StoredUniqueKeysOf(schema_, item.hash, item.partition_key, document));
  if (keeps_versions()) version.image = record.document;
  return version;
}

Result<RecordHeader> VersionWriter::Put(ItemRef item, std::string_view data_key,
                                        PreparedItem& prepared, const StoredVersion* old) {
  const Micros time = prepared.written_at.value_or(writer_.now());
  const RecordHeader header{.lsn = writer_.lsn(),
                            .time = time,
                            .expiry = ExpiryAfter(time, prepared.lifetime),
                            .seq = next_seq_++};
  ORRERY_TRY(ClaimUniqueKeys(item, prepared, old, header.expiry));
  const std::string_view record = prepared.record.Stamp(header);
  const uint64_t bytes = data_key.size() + record.size();
  writer_.Put(data_key, record);
  PutIndexEntries(item, prepared.terms, header.expiry, old);
  PutExpiry(item, header, bytes, old);
  if (old != nullptr) ORRERY_TRY(EndFeedEntry(item, old->header.lsn, old->header.seq, old->image));
  Change change{
      .kind = old != nullptr ? ChangeKind::kReplace : ChangeKind::kCreate,
      .time = writer_.now(),  // feeds are searched by time: it must rise with the position
      .previous_lsn = old != nullptr ? old->header.lsn : Lsn(),
      .partition_key = item.partition_key,
      .row_key = item.row_key};
  if (keeps_versions()) {
    change.image = prepared.record.bson();
    change.note = prepared.note;
  }
  PutFeedEntry(item, header.seq, change);
  change_ += {static_cast<int64_t>(bytes) - static_cast<int64_t>(old != nullptr ? old->bytes : 0),
              old != nullptr ? 0 : 1};
  return header;
}

Status VersionWriter::Remove(ItemRef item, std::string_view data_key, const StoredVersion& old,
                             bool by_expiry, std::string_view note) {
  const uint32_t seq = next_seq_++;
  writer_.Delete(data_key);
  for (const IndexTerm& term : old.terms) DeleteIndexEntry(item, term);
  for (const std::string& key : old.unique_keys) ORRERY_TRY(ReleaseUniqueKey(item, key, by_expiry));
  if (old.header.expiry.has_value()) DeleteExpiry(item, *old.header.expiry);
  ORRERY_TRY(EndFeedEntry(item, old.header.lsn, old.header.seq, old.image));
  if (keeps_versions()) {
    PutFeedEntry(item, seq,
                 {.kind = ChangeKind::kDelete,
                  .superseded = true,
                  .by_expiry = by_expiry,
                  .time = writer_.now(),
                  .previous_lsn = old.header.lsn,
                  .partition_key = item.partition_key,
                  .row_key = item.row_key,
                  .image = old.image,
                  .note = note});
  }
  change_ += {-static_cast<int64_t>(old.bytes), -1};
  return {};
}

Status VersionWriter::RemoveRemains(ItemRef item, Micros expiry, const ExpiryEntry& entry,
                                    bool replaced) {
  const uint32_t seq = next_seq_++;
  DeleteExpiry(item, expiry);
  ORRERY_TRY(EndFeedEntry(item, entry.lsn, entry.seq, {}));
  if (keeps_versions() && !replaced) {
    PutFeedEntry(item, seq,
                 {.kind = ChangeKind::kDelete,
                  .superseded = true,
                  .by_expiry = true,
                  .time = writer_.now(),
                  .previous_lsn = entry.lsn,
                  .partition_key = item.partition_key,
                  .row_key = item.row_key,
                  .image = std::nullopt});
  }
  change_ += {-static_cast<int64_t>(entry.bytes), -1};
  return {};
}

Status VersionWriter::Restamp(ItemRef item, std::string_view data_key, PreparedItem& prepared,
                              const StoredVersion& old) {
  RecordHeader header = old.header;
  header.expiry = ExpiryAfter(header.time, prepared.lifetime);
  const bool moves = header.expiry != old.header.expiry;
  if (moves || is_building()) ORRERY_TRY(ClaimUniqueKeys(item, prepared, &old, header.expiry));
  PutIndexEntries(item, prepared.terms, header.expiry, &old);
  if (!moves) return {};
  const std::string_view record = prepared.record.Stamp(header);
  const uint64_t bytes = data_key.size() + record.size();
  writer_.Put(data_key, record);
  PutExpiry(item, header, bytes, &old);
  change_ += {static_cast<int64_t>(bytes) - static_cast<int64_t>(old.bytes), 0};
  return {};
}

Totals VersionWriter::TakeChange() { return std::exchange(change_, {}); }

TermCounts VersionWriter::TakeTermCounts() { return std::exchange(terms_, {}); }

Status VersionWriter::ClaimUniqueKeys(ItemRef item, const PreparedItem& prepared,
                                      const StoredVersion* old, std::optional<Micros> expiry) {
  for (size_t number = 0; number < prepared.unique_keys.size(); ++number) {
    const std::string& key = prepared.unique_keys[number];
    const bool held = !is_building() && Holds(old, key);
    if (held && old->header.expiry == expiry) continue;
    if (!held) {
      ORRERY_ASSIGN(const auto stored, writer_.Get(key));
      if (stored.has_value()) {
        ORRERY_ASSIGN(const UniqueEntry holder, DecodeUniqueEntry(*stored));
        if (holder.row_key != item.row_key && !ExpiredAt(holder.expiry, writer_.now()))
          return Refuse(prepared, number);
      }
    }
    WriteUniqueEntry(value_, {.expiry = expiry, .row_key = item.row_key});
    writer_.Put(key, value_);
  }
  if (old == nullptr) return {};
  for (const std::string& key : old->unique_keys) {
    if (std::ranges::find(prepared.unique_keys, key) == prepared.unique_keys.end()) {
      ORRERY_TRY(ReleaseUniqueKey(item, key, /*by_expiry=*/false));
    }
  }
  return {};
}

std::unexpected<Error> VersionWriter::Refuse(const PreparedItem& prepared, size_t key) {
  if (key < schema_.unique_keys.size())
    return Fail(Code::kAlreadyExists, UniqueConflictText(schema_.unique_keys[key]));
  const auto conflict = ConflictAt(schema_, prepared.unique_keys[key],
                                   model::DocumentView::Trusted(prepared.record.bson()));
  if (conflict.has_value()) conflict_ = conflict->Encode();
  return Fail(Code::kAlreadyExists,
              "another item of this logical partition has the same key in the unique index '" +
                  (conflict.has_value() ? conflict->index : std::string()) + "'");
}

Status VersionWriter::ReleaseUniqueKey(ItemRef item, std::string_view key, bool by_expiry) {
  if (by_expiry || is_building()) {
    // Once it had expired, another item was free to take the value; and of an index that is being
    // built or removed another one may have been first.
    ORRERY_ASSIGN(const auto stored, writer_.Get(key));
    if (!stored.has_value()) return {};
    ORRERY_ASSIGN(const UniqueEntry holder, DecodeUniqueEntry(*stored));
    if (holder.row_key != item.row_key) return {};
  }
  writer_.Delete(key);
  return {};
}

void VersionWriter::PutIndexEntries(ItemRef item, const std::vector<IndexTerm>& terms,
                                    std::optional<Micros> expiry, const StoredVersion* old) {
  if (old == nullptr) {
    for (const IndexTerm& term : terms) PutIndexEntry(item, term, expiry);
    terms_.added += terms.size();
    return;
  }
  // While the policy changes it is unknown which of the old terms have an entry yet.
  const bool rewrite_kept = old->header.expiry != expiry || schema_.former_indexing.has_value();
  auto before = old->terms.begin();
  for (const IndexTerm& term : terms) {
    while (before != old->terms.end() && *before < term) DeleteIndexEntry(item, *before++);
    const bool kept = before != old->terms.end() && *before == term;
    const bool same = kept && before->payload == term.payload;
    if (!same || rewrite_kept || before->one_of_several != term.one_of_several) {
      PutIndexEntry(item, term, expiry);
    }
    if (!same) ++terms_.added;
    if (kept) ++before;
  }
  while (before != old->terms.end()) DeleteIndexEntry(item, *before++);
}

void VersionWriter::PutIndexEntry(ItemRef item, const IndexTerm& term,
                                  std::optional<Micros> expiry) {
  WriteIndexKey(key_, schema_.id, term.index, term.value, item);
  WriteIndexEntry(
      value_, {.expiry = expiry, .one_of_several = term.one_of_several, .payload = term.payload});
  writer_.PutWatched(key_, value_);
}

void VersionWriter::DeleteIndexEntry(ItemRef item, const IndexTerm& term) {
  WriteIndexKey(key_, schema_.id, term.index, term.value, item);
  writer_.DeleteUnread(key_);
  ++terms_.removed;
}

void VersionWriter::PutExpiry(ItemRef item, const RecordHeader& header, uint64_t bytes,
                              const StoredVersion* old) {
  if (old != nullptr && old->header.expiry.has_value() && old->header.expiry != header.expiry) {
    DeleteExpiry(item, *old->header.expiry);
  }
  if (!header.expiry.has_value()) return;
  WriteExpiryKey(key_, schema_.id, *header.expiry, item);
  WriteExpiryEntry(value_, {.lsn = header.lsn, .seq = header.seq, .bytes = bytes});
  writer_.Put(key_, value_);
}

void VersionWriter::DeleteExpiry(ItemRef item, Micros expiry) {
  WriteExpiryKey(key_, schema_.id, expiry, item);
  writer_.Delete(key_);
}

Status VersionWriter::EndFeedEntry(ItemRef item, Lsn lsn, uint32_t seq, std::string_view image) {
  WriteFeedKey(key_, schema_.id, lsn, item.hash, seq);
  if (!keeps_versions()) {
    writer_.Delete(key_);
    return {};
  }
  ORRERY_ASSIGN(const auto stored, writer_.Get(key_));
  if (!stored.has_value()) return {};
  ORRERY_ASSIGN(Change change, DecodeChange(*stored));
  if (change.time <= writer_.now() - schema_.feed_retention) {
    writer_.Delete(key_);
    return {};
  }
  change.superseded = true;
  // It was written before the container kept versions: this is the last chance to keep it.
  if (!change.image.has_value() && !image.empty()) change.image = image;
  WriteChange(value_, change);
  writer_.Put(key_, value_);
  return {};
}

void VersionWriter::PutFeedEntry(ItemRef item, uint32_t seq, const Change& change) {
  WriteFeedKey(key_, schema_.id, writer_.lsn(), item.hash, seq);
  WriteChange(value_, change);
  writer_.Put(key_, value_);
}

}  // namespace orrery::item
