// A RowWriter reads and changes rows of one logical partition on behalf of one transaction, always
// with everything that belongs to them: index and feed entries, and the marks of range tombstones.
//
// Lives for one Evaluate, on the sequencer's thread. Writer, feed and schema must outlive it; the
// buffers must live until the transaction is completed, because the group keeps views into them.
#pragma once

#include <forward_list>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/request_units.h"
#include "item/container_schema.h"
#include "item/layout/entry_codec.h"
#include "item/layout/feed_codec.h"
#include "item/row/row_index.h"
#include "item/row/row_program.h"
#include "item/row/static_row.h"
#include "item/row_feed/group_changes.h"
#include "partition/group_writer.h"

namespace orrery::item {

using RowBuffers = std::forward_list<std::string>;

class RowWriter {
 public:
  RowWriter(partition::GroupWriter& writer, GroupChanges& feed, const ContainerSchema& schema,
            Hash128 hash, std::string_view partition_key, RowBuffers& buffers);

  // Sets the most bytes that a row may have by what is merged into it; 0: any. Rows that are not
  // read before they are changed are looked at now and then only.
  void set_row_bytes_max(uint64_t bytes) { row_bytes_max_ = bytes; }

  // Returns the visible part of a row; nullopt when nothing is visible. Views point into the
  // buffers.
  Result<std::optional<model::Row>> Read(std::string_view clustering);

  // The clustering keys of the rows stored in the range, visible or not. kTooLarge beyond `limit`.
  Result<std::vector<std::string>> KeysIn(const RowRange& range, size_t limit);

  // Calls `visit` with the visible ones of the partition's first `limit` stored rows, in order,
  // until it returns false.
  Status LookThrough(
      size_t limit,
      const std::function<Result<bool>(std::string_view clustering, const model::Row& row)>& visit);

  // Makes the changes. kTooLarge when one would make a row too large; what makes it smaller is
  // taken. The rows in it are stamped with the transaction's position; they must live as long as
  // the buffers.
  Status Apply(RowChanges& changes);

  // Puts the entries that a stored row has in `indexes`, whether or not they are there already.
  Status IndexStored(std::string_view clustering, const std::vector<RowIndex>& indexes);

  // Returns what the changes add to the logical partition. Rows are counted as they are inserted:
  // nothing is read to find out whether they existed.
  Totals change() const { return change_; }
  RequestUnits charge() const { return charge_; }

 private:
  Status ApplyRow(RowChange& change);
  Status CheckMerged(const RowChange& change);
  Status ApplyRangeTombstone(const RangeTombstone& range);
  Status UpdateIndexEntries(const RowChange& change);
  // Takes from `row` what does not show, too.
  std::vector<RowTerm> TermsIn(const std::vector<RowIndex>& indexes, std::string_view clustering,
                               const model::Deletion& covering_deletion, model::Row& row) const;
  void PutIndexEntry(const RowTerm& term, std::string_view clustering);
  void AddToFeed(ChangeKind kind, std::string_view clustering,
                 std::optional<std::string_view> image);
  // Appends the keys of KeysIn, at most `limit`. True: there are more.
  Result<bool> CollectKeys(const RowRange& range, size_t limit, std::vector<std::string>& keys);
  // The stored bytes, copied to the buffers; none when there are none.
  Result<std::optional<std::string_view>> Load(std::string_view clustering);
  // Read once, and again after a change of it.
  Result<const PartitionTombstones*> Tombstones();
  std::string& NewBuffer() { return buffers_.emplace_front(); }
  uint32_t now_s() const;

  partition::GroupWriter& writer_;
  GroupChanges& feed_;
  const ContainerSchema& schema_;
  const Hash128 hash_;
  const std::string_view partition_key_;
  RowBuffers& buffers_;
  std::optional<PartitionTombstones> tombstones_;
  Totals change_;
  RequestUnits charge_;
  uint64_t row_bytes_max_ = 0;
  uint32_t next_seq_ = 0;
  std::string key_;
  std::string value_;
};

}  // namespace orrery::item
