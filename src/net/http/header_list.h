// Comma-separated lists in header fields: "close, TE".
#pragma once

#include <algorithm>
#include <string_view>

#include "net/http/http_message.h"

namespace orrery::net {

// `text` without the blanks around it.
inline std::string_view TrimSpace(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// Calls `use` with each element that is not empty.
template <typename Use>
void ForEachInList(std::string_view list, Use use) {
  while (!list.empty()) {
    const size_t end = std::min(list.find(','), list.size());
    if (const std::string_view element = TrimSpace(list.substr(0, end)); !element.empty())
      use(element);
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

// Returns whether the list names `token`, in any case.
inline bool ListHas(std::string_view list, std::string_view token) {
  bool found = false;
  ForEachInList(
      list, [&](std::string_view element) { found = found || EqualsIgnoringCase(element, token); });
  return found;
}

}  // namespace orrery::net
