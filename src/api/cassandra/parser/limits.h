// Limits of the parser for a CQL text. Every loop and recursion over foreign text ends at one of
// these or at the end of the text; what they let through is bounded by memory only.
#pragma once

#include <cstddef>
#include <cstdint>

namespace orrery::cassandra {

struct ParserLimits {
  // Cassandra's own default for the largest message.
  size_t statement_bytes_max = 16 << 20;
  // Literals in literals, types in types, parentheses in parentheses.
  uint32_t nesting_max = 128;
  // Arithmetic operators, fields and subscripts in one expression. Such chains make deep trees
  // without deep nesting, and trees are walked by recursion too.
  uint32_t operators_max = 1'000;
  // Values of a request are counted by an unsigned 16-bit number.
  uint32_t markers_max = 65'535;
  // Of one list of values, collection literal or batch: as many as a BATCH message may have.
  uint32_t elements_max = 65'535;
};

}  // namespace orrery::cassandra
