#include "cli/nearest_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

namespace orrery::cli {
namespace {

std::string Normalized(std::string_view name) {
  std::string result;
  for (const char c : name) {
    result.push_back(c == '_' ? '-'
                              : static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
  }
  return result;
}

// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> cost(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      cost[i][j] = std::min(
          {cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
  }
  return cost[a.size()][b.size()];
}

constexpr size_t kNameBytesMax = 64;  // longer ones are no typing errors

}  // namespace

std::optional<std::string> NearestName(std::string_view typed, std::span<const std::string> known) {
  if (typed.empty() || typed.size() > kNameBytesMax) return std::nullopt;
  const std::string wanted = Normalized(typed);
  std::optional<std::string> best;
  // A third of the letters may be wrong; a beginning of a known name counts as one error.
  size_t best_distance = std::max<size_t>(1, wanted.size() / 3) + 1;
  for (const std::string& name : known) {
    const std::string candidate = Normalized(name);
    const size_t distance =
        wanted.size() >= 3 && candidate.starts_with(wanted) && candidate != wanted
            ? 1
            : EditDistance(wanted, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = name;
    }
  }
  return best;
}

std::string DidYouMean(std::string_view typed, std::span<const std::string> known,
                       std::string_view prefix) {
  const auto nearest = NearestName(typed, known);
  return nearest ? fmt::format("; did you mean '{}{}'?", prefix, *nearest) : std::string();
}

}  // namespace orrery::cli
