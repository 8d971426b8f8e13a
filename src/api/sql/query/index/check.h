// A Check is a condition on one place that is no range of values, but can be true of values of one
// type only: CONTAINS, ENDSWITH, LIKE, REGEXMATCH, LOWER(..) = .., != and the like.
//
// An index over the place has all documents of which it may be true. Whether it is can be asked of
// each value there, before the document is read (entry_use.h).
//
// Pure.
#pragma once

#include <vector>

#include "api/sql/parser/ast/query.h"
#include "api/sql/query/index/place.h"
#include "api/sql/query/index/predicate.h"

namespace orrery::sql {

struct Check {
  Place place;
  ValueRange range;           // all values of the type
  bool is_selective = false;  // likely to be true of few values
};

// Of all conditions that the query's WHERE joins by AND.
std::vector<Check> ChecksOf(const ast::Query& reader, const PredicateContext& context);

}  // namespace orrery::sql
