#include "cli/seed/text/json_items.h"

#include <fmt/format.h>

#include <algorithm>

namespace orrery::cli {
namespace {

std::unexpected<Error> RefuseJson(size_t line, std::string_view what) {
  return Fail(Code::kInvalidArgument, fmt::format("line {}: {}", line, what));
}

// Returns the size of the object that `text` begins with; 0 if it does not end.
size_t ObjectSize(std::string_view text) {
  size_t depth = 0;
  for (size_t at = 0; at < text.size();) {
    at = text.find_first_of("\"{}[]", at);
    if (at == std::string_view::npos) return 0;
    const char c = text[at++];
    if (c == '"') {
      for (;;) {
        at = text.find_first_of("\"\\", at);
        if (at == std::string_view::npos) return 0;
        if (text[at] == '"') break;
        at += 2;
      }
      ++at;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (--depth == 0) {
      return at;
    }
  }
  return 0;
}

}  // namespace

JsonItems::JsonItems(std::string_view text) : rest_(text) {
  if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
  SkipSpace();
  if (!rest_.starts_with('[')) return;
  in_array_ = true;
  rest_.remove_prefix(1);
}

void JsonItems::SkipSpace() {
  const size_t size = std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size());
  line_ += static_cast<size_t>(std::ranges::count(rest_.substr(0, size), '\n'));
  rest_.remove_prefix(size);
}

Result<std::optional<SourcedItem>> JsonItems::Next() {
  SkipSpace();
  if (in_array_ && !is_done_) {
    if (!is_first_ && rest_.starts_with(',')) {
      rest_.remove_prefix(1);
      SkipSpace();
    } else if (rest_.starts_with(']')) {
      rest_.remove_prefix(1);
      is_done_ = true;
      SkipSpace();
    } else if (!is_first_) {
      return RefuseJson(line_, rest_.empty() ? "the array has no end" : "',' or ']' is expected");
    }
  }
  if (rest_.empty() && (!in_array_ || is_done_)) return std::nullopt;
  if (is_done_) return RefuseJson(line_, "text behind the end of the array");
  if (!rest_.starts_with('{')) {
    return RefuseJson(
        line_, rest_.empty() ? "the array has no end" : "an item must be a JSON object, in braces");
  }
  is_first_ = false;
  const size_t size = ObjectSize(rest_);
  if (size == 0) return RefuseJson(line_, "an object without its end");
  const SourcedItem item{line_, rest_.substr(0, size)};
  line_ += static_cast<size_t>(std::ranges::count(item.text, '\n'));
  rest_.remove_prefix(size);
  return item;
}

}  // namespace orrery::cli
