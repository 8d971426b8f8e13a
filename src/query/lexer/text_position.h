// A place in the text of a query, as people and error messages count it.
#pragma once

#include <cstdint>

namespace orrery::query {

struct TextPosition {
  uint32_t line = 1;    // from 1
  uint32_t column = 0;  // from 0, in characters (not bytes) from the start of the line

  friend bool operator==(const TextPosition&, const TextPosition&) = default;
};

}  // namespace orrery::query
