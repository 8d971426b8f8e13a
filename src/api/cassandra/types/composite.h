// Values of the classes CompositeType and DynamicCompositeType, which tables of Thrift's time have:
// several values in one.
//
//   composite := [FF FF] component*        ; with the prefix: of a static column, comes first
//   component := [comparator] size:uint16 value end:int8
//   end       := 0; others only behind the last component, for bounds: -1 before, 1 behind all that
//                begin like this
//   comparator := 80 alias | size:uint16 class-name     ; DynamicCompositeType only
//
// Pure.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/types/type.h"
#include "base/status.h"

namespace orrery::cassandra {

struct CompositePart {
  TypePtr type;
  std::string_view value;  // into the bytes it was read from
  int8_t end = 0;
};
struct Composite {
  bool is_static = false;
  std::vector<CompositePart> parts;
};

// Takes a value apart. kInvalidArgument, with Cassandra's message, when the bytes are none of the
// type's. REQUIRES: type.is_composite() or type.is_dynamic_composite().
Result<Composite> UnpackComposite(const Type& type, std::string_view bytes);
// The bytes of a CompositeType's value.
std::string PackComposite(const Composite& composite);

// The order of the components' types. Bytes that are no values compare as bytes. Values of a
// DynamicCompositeType whose components differ in type compare by the types' names.
std::weak_ordering CompareComposites(const Type& type, std::string_view a, std::string_view b);

// "1:x", as Cassandra writes values of a CompositeType: components between colons, a colon in one
// as "\:", and "!" or "_" at the end for the two ends that are not 0.
Result<std::string> ParseComposite(const Type& type, std::string_view text, int64_t now_ms);

}  // namespace orrery::cassandra
