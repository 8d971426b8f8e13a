// An OwnerFilter is the part of a filter that the owners of partitions evaluate, as data that a
// scan carries (gateway/requests.h, ScanSpec): documents that it is not true of are neither copied
// nor sent. Pure.
//
// What it leaves out is never a match. It has comparisons, $in, $exists, $type and $size at paths
// without array indexes, and $and, $or, $nor and $not of these; comparisons of strings only without
// a collation.
#pragma once

#include <memory>

#include "api/mongo/language/match/matcher.h"
#include "model/expression/expression.h"

namespace orrery::mongo {

struct OwnerFilter {
  std::shared_ptr<const model::Expression> expression;  // null: true of every document
  bool is_whole = false;  // it is true of no others than the filter is
};

// `filter` may be null: every document.
OwnerFilter OwnerFilterOf(const Matcher* filter);

}  // namespace orrery::mongo
