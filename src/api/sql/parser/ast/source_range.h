// A SourceRange is the bytes of the query's text that a part of its tree was made of: for errors
// found later.
#pragma once

#include <cstdint>

namespace orrery::sql {

struct SourceRange {
  uint32_t start = 0;  // offset of the first byte
  uint32_t end = 0;    // and of the one behind the last

  friend bool operator==(const SourceRange&, const SourceRange&) = default;
};

}  // namespace orrery::sql
