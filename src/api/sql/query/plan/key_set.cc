#include "api/sql/query/plan/key_set.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace orrery::sql {
namespace {

// Pairs of patterns that an intersection looks at; beyond that one side of it is enough.
constexpr size_t kPairsMax = 10'000;

bool IsOpenPattern(const KeySet::Pattern& pattern) {
  return std::ranges::none_of(pattern, [](const auto& component) { return component.has_value(); });
}

// Nothing when no key meets both.
std::optional<KeySet::Pattern> BothPatterns(const KeySet::Pattern& a, const KeySet::Pattern& b) {
  KeySet::Pattern both = a;
  for (size_t i = 0; i < both.size(); ++i) {
    if (!b[i].has_value()) continue;
    if (both[i].has_value() && both[i]->encoded != b[i]->encoded) return std::nullopt;
    both[i] = b[i];
  }
  return both;
}

}  // namespace

KeySet KeySet::All(size_t paths) {
  KeySet set;
  set.patterns_.emplace_back(paths);
  return set;
}

KeySet KeySet::At(size_t paths, size_t path, Component component) {
  KeySet set = All(paths);
  set.patterns_.front()[path] = std::move(component);
  return set;
}

bool KeySet::is_all() const { return std::ranges::any_of(patterns_, IsOpenPattern); }

KeySet KeySet::Intersect(KeySet a, KeySet b) {
  if (a.is_all() || b.is_empty()) return b;
  if (b.is_all() || a.is_empty()) return a;
  if (a.patterns_.size() * b.patterns_.size() > kPairsMax)
    return a.patterns_.size() < b.patterns_.size() ? a : b;
  KeySet common;
  for (const Pattern& x : a.patterns_) {
    for (const Pattern& y : b.patterns_) {
      if (auto both = BothPatterns(x, y)) common.patterns_.push_back(*std::move(both));
      if (common.patterns_.size() > kPatternsMax)
        return a.patterns_.size() < b.patterns_.size() ? a : b;
    }
  }
  return common;
}

void KeySet::Add(KeySet other) {
  if (other.is_empty() || is_all()) return;
  if (is_empty() || other.is_all()) {
    *this = std::move(other);
    return;
  }
  if (patterns_.size() + other.patterns_.size() > kPatternsMax) {
    *this = All(patterns_.front().size());
    return;
  }
  std::ranges::move(other.patterns_, std::back_inserter(patterns_));
}

}  // namespace orrery::sql
