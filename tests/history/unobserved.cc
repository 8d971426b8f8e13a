#include "history/unobserved.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace orrery::history {

std::vector<const Operation*> WithoutUnobserved(std::span<const Operation* const> operations) {
  std::vector<const Operation*> kept(operations.begin(), operations.end());
  std::unordered_set<std::string_view> seen;
  const auto see = [&seen](const Content& content) {
    if (!content.has_value()) return;
    seen.insert(*content);
    for (const std::string_view element : ElementsOf(*content)) seen.insert(element);
  };
  for (const Operation* operation : operations) {
    const bool silent = operation->outcome == Outcome::kMismatch && !operation->saw.has_value();
    if (silent) return kept;
    if (operation->kind == Kind::kRead && operation->outcome == Outcome::kOk) see(operation->value);
    if (operation->kind == Kind::kCas) see(operation->expected);
    if (operation->saw.has_value()) see(*operation->saw);
  }
  std::erase_if(kept, [&seen](const Operation* operation) {
    const bool adds = operation->kind == Kind::kWrite || operation->kind == Kind::kAppend;
    return operation->outcome == Outcome::kUnknown && adds && !seen.contains(*operation->value);
  });
  return kept;
}

}  // namespace orrery::history
