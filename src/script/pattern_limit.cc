#include "script/pattern_limit.h"

#include "script/limits.h"

namespace orrery::script {

bool MayHoldLongPattern(std::string_view source) {
  while (!source.empty()) {
    const size_t end = source.find_first_of("\n\r");
    const std::string_view line = source.substr(0, end);
    const size_t first = line.find('/');
    if (first != std::string_view::npos && line.rfind('/') - first > kPatternCharsMax + 1)
      return true;
    if (end == std::string_view::npos) break;
    source.remove_prefix(end + 1);
  }
  return false;
}

}  // namespace orrery::script
