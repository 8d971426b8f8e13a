#include "model/text/find_text.h"

#include <cstring>
#include <string>

namespace orrery::model {

size_t FindText(std::string_view text, std::string_view needle, size_t from) {
  if (from > text.size()) return std::string_view::npos;
  if (needle.empty()) return from;
  const std::string_view rest = text.substr(from);
  // Two-way string matching, unlike std::string_view::find.
  const void* found = memmem(rest.data(), rest.size(), needle.data(), needle.size());
  if (found == nullptr) return std::string_view::npos;
  return static_cast<size_t>(static_cast<const char*>(found) - text.data());
}

size_t FindLastText(std::string_view text, std::string_view needle) {
  const std::string reversed(text.rbegin(), text.rend());
  const size_t found = FindText(reversed, std::string(needle.rbegin(), needle.rend()));
  if (found == std::string_view::npos) return found;
  return text.size() - found - needle.size();
}

}  // namespace orrery::model
