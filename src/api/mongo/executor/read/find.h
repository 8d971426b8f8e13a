// A find: documents of one collection that match, in order, in part.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "api/mongo/executor/read/collection_scan.h"
#include "api/mongo/executor/read/key_range.h"
#include "api/mongo/language/projection/projection.h"
#include "api/mongo/language/sort/sort_pattern.h"

namespace orrery::mongo {

struct FindRequest {
  CollectionPtr collection;
  QueryContextPtr context;
  MatcherPtr filter;  // null: every document
  std::optional<SortPattern> sort = {};
  uint64_t skip = 0;
  std::optional<uint64_t> limit = {};
  ProjectionPtr projection = nullptr;  // null: whole documents
  IndexHint hint = {};
  // $geoNear: as a $near of the filter, which it must then not have.
  std::optional<NearNode::Search> near = {};
  std::optional<KeyRange> range = {};  // rows come in its order unless there is a sort
  bool wants_sort_keys = false;        // rows have what they are sorted by as metadata
  bool wants_keys = false;             // rows have index keys and record ids as metadata
  bool returns_key = false;            // rows are the keys by which an index found documents
  bool shows_record_id = false;
  bool natural_backwards = false;  // of a capped collection
};

// Returns the rows; those of a search by distance have it as metadata, and come by it where no
// order is given. The gateway must outlive them.
std::unique_ptr<RowSource> OpenFind(gateway::Gateway& gateway, FindRequest request,
                                    std::shared_ptr<RunState> state);

}  // namespace orrery::mongo
