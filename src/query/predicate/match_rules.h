// MatchRules say when a condition on a path is true of a document: what differs between query
// languages in how values at a path are met.
//
//   kSql    a path leads through objects; arrays and objects there are values like others. A
//           document without a value there meets no condition. Comparisons are among values of one
//           JSON type.
//   kMongo  a path leads through objects and into the elements of arrays; a value there is met as a
//           whole, and if it is an array by each of its elements as well. Null is equal to null and
//           to no value. Comparisons are among values of one BSON type; but MinKey and MaxKey
//           compare with all.
//
// Under kMongo a document may have several values at a path, of which each may meet another
// condition: bounds of several conditions on one path are not intersected, and an order by a path
// is not read from bounds of that path.
#pragma once

#include <cstdint>

namespace orrery::query {

enum class MatchRules : uint8_t { kSql, kMongo };

}  // namespace orrery::query
