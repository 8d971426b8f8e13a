// Limits of the parser. Every loop and recursion over foreign text ends at one of these or at the
// end of the text.
#pragma once

#include <cstddef>
#include <cstdint>

namespace orrery::sql {

struct ParserLimits {
  // Cosmos DB's own maximum, in UTF-16 code units as everything that its clients count.
  size_t query_characters_max = 512 << 10;
  // Rules within rules: how much stack the parser may use, about a kilobyte each. A pair of
  // parentheses is two or three.
  uint32_t nesting_max = 800;
  // Nodes above each other in the tree: how much stack others may use who walk it. Chains such as
  // "1 + 1 + 1" make deep trees without nesting.
  uint32_t depth_max = 1'000;
  // Nodes of the tree: how much memory it may take.
  uint32_t nodes_max = 100'000;
};

}  // namespace orrery::sql
