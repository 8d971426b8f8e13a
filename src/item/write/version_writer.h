// A VersionWriter writes and removes one version of an item at a time, always with everything that
// belongs to it: record, index, unique, expiry and feed entries. Nobody else writes these spaces.
//
// It decides nothing: what is allowed is the caller's business (transaction.h, expiry.h). The sizes
// of logical partitions are the Ledger's; what to tell it comes from TakeChange().
//
// Lives for one Evaluate, on the sequencer's thread. The writer and the schema must outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "item/container_schema.h"
#include "item/index/index_terms.h"
#include "item/layout/entry_codec.h"
#include "item/layout/feed_codec.h"
#include "item/layout/key_layout.h"
#include "item/layout/record_codec.h"
#include "item/write/prepared_item.h"
#include "partition/group_writer.h"

namespace orrery::item {

// The facts of a stored version that are needed to replace or remove it.
struct StoredVersion {
  RecordHeader header;
  uint64_t bytes = 0;  // of key and record
  uint64_t document_bytes = 0;
  std::vector<IndexTerm> terms;
  std::vector<std::string> unique_keys;
  std::string image;  // the document, when the feed keeps old versions
};

struct TermCounts {
  uint64_t added = 0;
  uint64_t removed = 0;
};

class VersionWriter {
 public:
  VersionWriter(partition::GroupWriter& writer, const ContainerSchema& schema);

  // Describes the version of a record, which is `stored_bytes` long with its header.
  Result<StoredVersion> Describe(ItemRef item, std::string_view data_key, size_t stored_bytes,
                                 const RecordView& record) const;

  // Makes `prepared` the item's version, in place of `old` (null when there is none). Returns the
  // stored header. kAlreadyExists when another item holds one of its unique values: then nothing
  // may be kept of the transaction.
  Result<RecordHeader> Put(ItemRef item, std::string_view data_key, PreparedItem& prepared,
                           const StoredVersion* old);

  // Removes the version and, where the feed keeps deletes, announces it.
  Status Remove(ItemRef item, std::string_view data_key, const StoredVersion& old, bool by_expiry,
                std::string_view note = {});

  // Removes what is left of a version whose record compaction has dropped after its expiry. It is
  // announced unless another version has taken its place.
  Status RemoveRemains(ItemRef item, Micros expiry, const ExpiryEntry& entry, bool replaced);

  // Rewrites the version's header and index entries where they differ from what the schema asks
  // for; the document, its position and its time stay.
  Status Restamp(ItemRef item, std::string_view data_key, PreparedItem& prepared,
                 const StoredVersion& old);

  // The facts of the refusal (UniqueConflict), when a unique index was the reason; else empty.
  const std::string& conflict() const { return conflict_; }

  // Returns what the versions written and removed since the last call add to their logical
  // partition.
  Totals TakeChange();
  // The index terms they brought and took away.
  TermCounts TakeTermCounts();

 private:
  Status ClaimUniqueKeys(ItemRef item, const PreparedItem& prepared, const StoredVersion* old,
                         std::optional<Micros> expiry);
  Status ReleaseUniqueKey(ItemRef item, std::string_view key, bool by_expiry);
  // The refusal of a document whose key another has.
  std::unexpected<Error> Refuse(const PreparedItem& prepared, size_t key);
  void PutIndexEntries(ItemRef item, const std::vector<IndexTerm>& terms,
                       std::optional<Micros> expiry, const StoredVersion* old);
  void PutIndexEntry(ItemRef item, const IndexTerm& term, std::optional<Micros> expiry);
  void DeleteIndexEntry(ItemRef item, const IndexTerm& term);
  void PutExpiry(ItemRef item, const RecordHeader& header, uint64_t bytes,
                 const StoredVersion* old);
  void DeleteExpiry(ItemRef item, Micros expiry);
  // Ends the feed entry of a version: removed, or kept as superseded.
  Status EndFeedEntry(ItemRef item, Lsn lsn, uint32_t seq, std::string_view image);
  void PutFeedEntry(ItemRef item, uint32_t seq, const Change& change);
  bool keeps_versions() const { return schema_.feed_retention > Micros(0); }
  // While indexes are built a version need not hold the keys that it should.
  bool is_building() const { return schema_.former_indexing.has_value(); }

  partition::GroupWriter& writer_;
  const ContainerSchema& schema_;
  Totals change_;
  TermCounts terms_;
  std::string conflict_;
  uint32_t next_seq_ = 0;
  // Reused for every key and value.
  std::string key_;
  std::string value_;
};

}  // namespace orrery::item
