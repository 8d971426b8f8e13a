// Cuts files of statements into statements, with the line of each, without understanding more of
// the language than its quotes, brackets and comments. Pure.
//
//   CQL      statements end with ';'. '..', "..", $$..$$, --, // and /* */ are respected, as is a
//            BEGIN BATCH .. APPLY BATCH around statements of its own
//   Gremlin  a traversal ends with ';', or with a line end outside of brackets and quotes, unless
//            the next line begins with a dot. // and # at the start of a line are comments
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace orrery::cli {

struct SourcedStatement {
  size_t line = 0;  // the first is 1
  std::string_view text;
};

// kInvalidArgument; the message begins with "line N: ". The statements view `text`.
Result<std::vector<SourcedStatement>> SplitCql(std::string_view text);
Result<std::vector<SourcedStatement>> SplitGremlin(std::string_view text);

}  // namespace orrery::cli
