// The keys that a document takes in the unique indexes of its container. Pure.
//
// A document has one key for each tuple of values that the paths of an index lead to. As in MongoDB
// paths through the same array take the same element of it: {a: [{b: 1, c: 2}, {b: 3, c: 4}]} has
// (1, 2) and (3, 4) in an index over a.b and a.c, where the index entries (index_terms.h) have all
// combinations, which queries need. A path that leads to nothing counts as null, an empty array as
// undefined. Documents that an index leaves out have no key in it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash128.h"
#include "base/status.h"
#include "item/container_schema.h"
#include "item/index/index_policy.h"
#include "model/document/document.h"
#include "model/value.h"

namespace orrery::item {

inline constexpr size_t kUniqueValuesBytesMax = 16 << 10;

// The facts of a refusal: another document of the logical partition has that tuple of values.
struct UniqueConflict {
  std::string index;  // its name
  std::vector<std::string> paths;
  std::vector<model::Direction> directions;  // one for each path
  std::vector<model::Value> values;          // one for each path

  // {index: name, paths: [[field, ..], ..], falls: [bool, ..], values: [..]} as BSON.
  std::string Encode() const;
  // kCorruption when the bytes are none that Encode writes.
  static Result<UniqueConflict> Decode(std::string_view bytes);
};

// The keys of a document, as whole keys of the space of unique keys: those of the schema's rules
// first, in their order, then those of its unique indexes. kTooLarge for too long values;
// kInvalidArgument where the paths of an index lead through two arrays.
Result<std::vector<std::string>> UniqueKeysOf(const ContainerSchema& schema, Hash128 hash,
                                              std::string_view partition_key,
                                              model::DocumentView document);
// All that a stored document may hold: also those of the former policy, while items are being
// brought to the new one.
Result<std::vector<std::string>> StoredUniqueKeysOf(const ContainerSchema& schema, Hash128 hash,
                                                    std::string_view partition_key,
                                                    model::DocumentView document);

// The conflict that a key of `document` stands for; nullopt unless it is of a unique index.
std::optional<UniqueConflict> ConflictAt(const ContainerSchema& schema, std::string_view key,
                                         model::DocumentView document);

}  // namespace orrery::item
