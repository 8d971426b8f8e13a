// Reads items of one slice: the part of a container's ring range that one physical partition hosts.
//
// A SliceReader hides what is not the slice's own (keys outside its range that a split has yet to
// trim) and what has expired. All calls are synchronous; with kCachedOnly they return kWouldBlock
// rather than touch the disk. Asked for a key outside its range it answers kMoved.
//
// Thread-safe; cheap to make (a view). What it reads and the schema must outlive it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/request_context.h"
#include "base/status.h"
#include "item/container_schema.h"
#include "item/layout/key_layout.h"
#include "item/layout/record_codec.h"
#include "item/read/nearest_position.h"
#include "model/aggregate/grouping.h"
#include "model/document/document.h"
#include "model/document/projection.h"
#include "model/expression/expression.h"
#include "model/path/path.h"
#include "model/vector/vector_measure.h"
#include "partition/map/hash_range.h"
#include "storage/engine/read_view.h"

namespace orrery::item {

// An item as read. The document view is good while `pin` lives.
struct ReadItem {
  Lsn lsn;
  Micros time{0};
  std::optional<Micros> expiry;
  model::DocumentView document;
  storage::PinnedValue pin;
};

// The limits of one page of a scan.
struct PageLimits {
  size_t items_max = 100;
  size_t bytes_max = 4 << 20;
  size_t examined_max = 50'000;  // records or index entries, returned or not
};

struct ScannedItem {
  ItemKey key;
  Lsn lsn;
  Micros time{0};
  model::Document document;  // or the part of it that was asked for
  std::string value = {};    // in the index that was read, as that has it: cut
  size_t bytes = 0;          // of the whole document
};

// The position of a scan: an item that was examined, wanted or not.
struct ScanPlace {
  ItemKey key;
  std::string value = {};  // in the index that is read
};

struct Page {
  // Or groups of items (ScanRequest::grouping).
  std::vector<ScannedItem> items;
  // The position where the next page begins; nullopt when the scan is done. Opaque bytes, valid in
  // any descendant of this partition.
  std::optional<std::string> next;
  size_t examined = 0;
  size_t bytes_examined = 0;
  size_t entries_passed = 0;  // of an index, compared without a look at their records
  size_t ranges_sought = 0;   // of an index
  // Items that the filter is not true of.
  size_t items_rejected = 0;
  size_t bytes_rejected = 0;
  // Items that are in groups, of those whose records were read.
  size_t items_grouped = 0;
  size_t bytes_grouped = 0;
  // The last that was examined; nullopt if none was. Scans by distance do not say.
  std::optional<ScanPlace> last;
};

// A bound on an indexed value, as ordered-codec bytes. It may be the leading components only of a
// compound index's value; then all values that begin so count as equal to it. What is longer than
// kIndexValueBytesMax is cut, as stored values are, and then counts as inclusive: the filter
// decides. Not so in an index that keeps values whole.
struct ValueBound {
  std::string encoded;
  bool inclusive = true;
};

struct ValueInterval {
  std::optional<ValueBound> lower{};
  std::optional<ValueBound> upper{};
};

struct IndexRange {
  IndexId index{};
  std::optional<ValueBound> lower{};
  std::optional<ValueBound> upper{};
  bool descending = false;
  // Values above the first interval that are wanted, too; rising and disjoint.
  std::vector<ValueInterval> further{};
};

// Items by how near their vectors are to a given one, the nearest first (or the farthest); those
// without a vector of as many dimensions, or with one that cannot be compared, are left out.
//
// Results are in that order exactly, equal ones in ring order. An index that is searched by
// sketches may miss some of the nearest: each with a small probability, unless all are compared.
struct NearestSearch {
  IndexId index{};  // one of vectors
  std::vector<double> target;
  model::VectorMeasure measure = model::VectorMeasure::kCosine;
  bool descending = true;     // the greatest number comes first
  bool compares_all = false;  // nothing is missed
  // Only items with an entry in one of these ranges of an index; none: all items.
  std::vector<IndexRange> among;
  // Goes on behind this item, whether or not it is still there.
  std::optional<NearestPosition> after;
};

struct ScanRequest {
  std::optional<std::string> partition_key;  // with hash: one logical partition only
  Hash128 hash;
  std::optional<std::string> row_key_lower;  // inclusive; within one logical partition
  std::optional<std::string> row_key_upper;  // exclusive
  // Read in this index's order instead of key order: by value, then by ring position. An item with
  // several values within the bounds comes once, at the first of them. Within one logical partition
  // those of others are skipped, or its own are read and sorted: what costs less.
  std::optional<IndexRange> index;
  // Items come with their keys and values only: their records are not read. REQUIRES: an index, and
  // no filter, but with a grouping.
  bool index_only = false;
  // With index_only and a grouping: where the index has its values from. Filter and grouping look
  // at no more than this path and the keys of items.
  model::Path entry_path = {};
  // Or in this order.
  std::shared_ptr<const NearestSearch> nearest;
  // Or only these, in their order, on one page: those of the slice that are there.
  std::shared_ptr<const std::vector<ItemKey>> keys;
  // These must outlive the call. A scan by distance takes the filter only.
  const model::Expression* filter = nullptr;      // checked on every candidate
  const model::Projection* projection = nullptr;  // only these parts of documents
  // Instead of items, the groups that they make: each is a ScannedItem in the place of its first
  // item, with a partial group as its document (model/aggregate/partial_groups.h). A page has as
  // many groups as it may have items; where that is not enough, the next page may have the same
  // groups again. Not in a scan by distance.
  const model::Grouping* grouping = nullptr;
  const RequestContext* context = nullptr;  // kCancelled when it says so
  bool descending = false;                  // in key order; index order has its own
  std::string key_prefix = {};              // only partition keys that begin so
};

class SliceReader {
 public:
  SliceReader(const storage::ReadView& view, const ContainerSchema& schema,
              partition::HashRange range, Micros now)
      : view_(view), schema_(schema), range_(range), now_(now) {}

  // kNotFound when there is none, or it has expired.
  Result<ReadItem> Read(const ItemKey& key, storage::ReadMode mode) const;

  // One page in key order (or that of an index), from `continuation` (the previous page's `next`;
  // kInvalidArgument when it is not one of this scan's). A page that would block after it has found
  // something is returned as it is, with `next`; with kCachedOnly so is one that has skipped many
  // entries. Listed items are all read, or kWouldBlock.
  Result<Page> Scan(const ScanRequest& request, const std::optional<std::string>& continuation,
                    const PageLimits& limits, storage::ReadMode mode) const;

 private:
  Result<Page> ScanKeys(const ScanRequest& request, const std::optional<std::string>& continuation,
                        const PageLimits& limits, storage::ReadMode mode) const;  // scan.cc
  Result<Page> ScanListed(const ScanRequest& request, const PageLimits& limits,
                          storage::ReadMode mode) const;  // scan.cc
  Result<Page> ScanIndex(const ScanRequest& request, const std::optional<std::string>& continuation,
                         const PageLimits& limits, storage::ReadMode mode) const;  // index_scan.cc
  // A page looks at all that it must, whatever the limit on that is.
  Result<Page> ScanNearest(const NearestSearch& search, const ScanRequest& request,
                           const std::optional<std::string>& continuation, const PageLimits& limits,
                           storage::ReadMode mode) const;  // nearest_scan.cc

  const storage::ReadView view_;
  const ContainerSchema& schema_;
  const partition::HashRange range_;
  const Micros now_;
};

}  // namespace orrery::item
