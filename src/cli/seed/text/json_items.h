// Cuts the text of a .json or .ndjson file into items, with the line of each: one JSON object per
// line, objects one behind the other over several lines, or one array of objects.
//
// Only where items begin and end is looked at; whoever takes an item reads its text. Not
// thread-safe. The text must outlive the reader.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/status.h"

namespace orrery::cli {

struct SourcedItem {
  size_t line = 0;  // the first is 1
  std::string_view text;
};

class JsonItems {
 public:
  explicit JsonItems(std::string_view text);

  // The next; nullopt at the end. kInvalidArgument; the message begins with "line N: ".
  Result<std::optional<SourcedItem>> Next();

 private:
  void SkipSpace();

  std::string_view rest_;
  size_t line_ = 1;
  bool in_array_ = false;
  bool is_first_ = true;
  bool is_done_ = false;
};

}  // namespace orrery::cli
