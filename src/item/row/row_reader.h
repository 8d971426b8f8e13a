// Reads rows of one slice: the part of a table's ring range that one physical partition hosts.
//
// A RowReader hides what is not the slice's own and rows of which nothing is visible. What it
// returns is as stored, with the deletion that holds for it from outside (of its partition, or of a
// range): the caller looks at cells through model::Purge or does the same as it goes.
//
// All calls are synchronous; with kCachedOnly they return kWouldBlock rather than touch the disk.
// Asked for a key outside its range it answers kMoved. Thread-safe; cheap to make (a view). The
// engine and the schema must outlive it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "item/container_schema.h"
#include "item/layout/key_layout.h"
#include "item/read/reader.h"
#include "item/row/static_row.h"
#include "model/row/row.h"
#include "partition/map/hash_range.h"
#include "storage/engine/engine.h"

namespace orrery::item {

// One row by its whole key.
struct ReadRow {
  storage::PinnedValue row_pin;
  storage::PinnedValue static_row_pin;
  model::Deletion covering_deletion;
  bool row_visible = false;
  bool static_row_visible = false;

  // Encoded; empty: there is none. Good until this is moved or destroyed.
  std::string_view row() const { return row_visible ? row_pin.view() : std::string_view(); }
  // The partition's own row, of a clustered table when asked for.
  std::string_view static_row() const {
    return static_row_visible ? static_row_pin.view() : std::string_view();
  }
};

struct ScannedRow {
  std::string clustering;
  std::string row;  // encoded
  model::Deletion covering_deletion;
};

// The part of a page that comes from one logical partition.
struct ScannedPartition {
  Hash128 hash;
  std::string partition_key;  // encoded component
  std::string static_row;     // its own row; empty when nothing of it is visible
  std::vector<ScannedRow> rows;
  bool begins = false;  // no earlier page had rows of it
  bool ends = false;    // no later page will have
};

struct RowPage {
  std::vector<ScannedPartition> partitions;
  // The position where the next page begins; nullopt when the scan is done. Opaque, valid in any
  // descendant.
  std::optional<std::string> next;
  size_t rows = 0;
  size_t examined = 0;
  size_t bytes_examined = 0;
};

struct RowScanRequest {
  std::optional<std::string> partition_key;  // with hash: one logical partition only
  Hash128 hash;
  std::optional<std::string> lower;  // of clustering keys, inclusive; in each partition
  std::optional<std::string> upper;  // exclusive
  bool descending = false;           // only within one logical partition
  // At most so many rows of each partition; the rest of it is skipped, not read. 0: all.
  size_t rows_per_partition_max = 0;
  struct Index {
    IndexId id;
    std::string value;  // RowTermValue
  };
  // By an index, in the order of the ring, instead of by key. An entry of a static column leads to
  // the partition's own row.
  std::optional<Index> index;
};

// A place in the order of scans: behind a row, or behind all of a logical partition.
struct RowPlace {
  Hash128 hash;
  std::string partition_key;              // encoded component
  std::optional<std::string> clustering;  // none: behind the whole partition
  uint64_t rows_before = 0;  // how many rows of this partition have been returned so far
};

// A continuation (below) that begins `request` at `place`, which need not be one that a scan came
// to: the row may be gone, and the request another than the one that found it.
std::string ContinuationAt(const RowScanRequest& request, ContainerId container,
                           const RowPlace& place);

class RowReader {
 public:
  RowReader(const storage::Engine& engine, const ContainerSchema& schema,
            partition::HashRange range, Micros now)
      : engine_(engine), schema_(schema), range_(range), now_(now) {}

  Result<ReadRow> Read(const ItemRef& key, bool want_static_row, storage::ReadMode mode) const;

  // One page from `continuation` (the previous page's `next`; kInvalidArgument when it is none).
  // items_max counts rows. A page that would block after it has found something is returned as it
  // is, with `next`.
  Result<RowPage> Scan(const RowScanRequest& request,
                       const std::optional<std::string>& continuation, const PageLimits& limits,
                       storage::ReadMode mode) const;

 private:
  friend class RowScan;        // row_scan.cc
  friend class RowFeedReader;  // row_feed.cc
  friend class RowCounter;     // row_count.cc

  Result<RowPage> ScanIndex(const RowScanRequest& request,
                            const std::optional<std::string>& continuation,
                            const PageLimits& limits, storage::ReadMode mode) const;
  // The tombstones of a logical partition, and its static_row when something of that is visible.
  struct StaticRow {
    PartitionTombstones tombstones;
    std::string row;
  };
  Result<StaticRow> ReadStaticRow(Hash128 hash, std::string_view partition_key,
                                  storage::ReadMode mode) const;
  Result<StaticRow> MakeStaticRow(Hash128 hash, std::string_view partition_key,
                                  std::string_view row, storage::ReadMode mode) const;
  Result<bool> IsVisible(std::string_view row, const model::Deletion& covering_deletion) const;

  const storage::Engine& engine_;
  const ContainerSchema& schema_;
  const partition::HashRange range_;
  const Micros now_;
};

}  // namespace orrery::item
