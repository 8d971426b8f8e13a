// A RowSource gives the rows of a SELECT page by page: tables of the core (table_source.h), their
// change feed (feed_source.h), and tables that are computed (virtual_source.h).
//
// A source gives candidates: rows of the keys and ranges that were asked for, by index perhaps of
// more. It knows nothing of filters, limits and groups. Not thread-safe; used by one thread at a
// time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/cassandra/executor/read/paging_state.h"
#include "api/cassandra/schema/virtual_table.h"
#include "base/hash128.h"
#include "base/request_units.h"
#include "gateway/row/row_requests.h"

namespace orrery::cassandra {

struct SourceRow {
  std::string clustering;
  std::string row;  // encoded cells
  model::Deletion covering_deletion;
  VirtualRow values;  // of a virtual table, instead of cells: one for each column
};

// One partition's part of a page.
struct SourcePartition {
  Hash128 hash;
  std::string key;         // serialized
  std::string static_row;  // static cells, encoded; empty when there are none
  std::vector<SourceRow> rows;
  bool begins = false;  // no earlier page had rows of it
  bool ends = false;    // no later page will have
};

struct SourcePage {
  std::vector<SourcePartition> partitions;  // in ring order or in the order asked for
  RequestUnits charge;
  size_t examined = 0;  // about so many rows, returned or not
};

// The start of a source: behind what earlier pages have dealt with, in its own order.
//
// Sources of one partition begin behind the marked row also when that is of another partition, and
// those of several not at all when the marked partition is none of theirs: both as in Cassandra.
struct SourceStart {
  RowMark mark;
  uint32_t partition_rows = 0;  // of the marked partition, that earlier pages had
};

class RowSource {
 public:
  virtual ~RowSource() = default;

  // The next candidates. Nothing, and nothing has happened, when the disk would be needed and
  // `mode` forbids it: ask again where blocking is allowed. REQUIRES: not done().
  virtual CqlResult<std::optional<SourcePage>> Next(const item::PageLimits& limits,
                                                    storage::ReadMode mode) = 0;
  virtual bool done() const = 0;
  // Of the feed: where Next goes on.
  virtual std::string continuation() const { return {}; }
};

}  // namespace orrery::cassandra
