// The bytes of lists, sets, maps, tuples, UDTs and vectors, taken apart and put together.
//
//   list, set := count:int32 element*          element := size:int32 bytes
//   map       := count:int32 (key value)*      key, value := element
//   tuple,UDT := component*                    component := element, or size -1 for null;
//                                              components missing at the end are null
//   vector    := bytes*                        when the element type has a fixed length, else
//              | (size:vint bytes)*            each with its size
//
// Unpacking checks bounds and counts, not the elements themselves (validate.h does). What it
// returns are views into the bytes given: they must outlive it. Errors are kInvalidArgument, in the
// sense of Cassandra's texts.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/types/type.h"
#include "base/status.h"

namespace orrery::cassandra {

using Views = std::vector<std::string_view>;
using NullableView = std::optional<std::string_view>;
struct EntryView {
  std::string_view key;
  std::string_view value;
};

// A list or set. No bytes at all are an empty set, but no list.
Result<Views> UnpackElements(const Type& type, std::string_view bytes);
// A list that may hold nulls: only the values of an IN marker may.
Result<std::vector<NullableView>> UnpackNullableList(std::string_view bytes);
// No bytes at all are an empty map.
Result<std::vector<EntryView>> UnpackEntries(std::string_view bytes);
// A tuple or UDT: always as many components as the type has, those missing as null.
Result<std::vector<NullableView>> UnpackComponents(const Type& type, std::string_view bytes);
// A vector: as many elements as its dimension.
Result<Views> UnpackVector(const Type& type, std::string_view bytes);

std::string PackElements(std::span<const std::string_view> elements);
std::string PackEntries(std::span<const EntryView> entries);
std::string PackComponents(std::span<const NullableView> components);
// REQUIRES: of the size of the type's dimension, and each of the element's fixed length, if any.
std::string PackVector(const Type& type, std::span<const std::string_view> elements);

// Views of owned values, to be packed.
Views AsViews(std::span<const std::string> values);
std::vector<NullableView> AsViews(std::span<const std::optional<std::string>> values);

// The value with each set and map in it, at any depth, in the order of its elements and without
// duplicates: of equal set elements the first stays, of equal keys the last one's value. Other
// types are copied. REQUIRES: Validate accepts the bytes.
Result<std::string> Normalise(const Type& type, std::string_view bytes);

}  // namespace orrery::cassandra
