// Which aggregate a name means, and which accumulator an aggregate starts.
#include <algorithm>
#include <iterator>
#include <string>

#include "api/sql/function/aggregate/accumulators.h"

namespace orrery::sql {
namespace {

struct Entry {
  std::string_view name;
  std::string_view plan_name;
  std::unique_ptr<Accumulator> (*start)();
};

// By the value of Aggregate.
constexpr Entry kEntries[] = {
    {"COUNT", "Count", StartCount},
    {"COUNTIF", "CountIf", StartCountIf},
    {"SUM", "Sum", StartSum},
    {"AVG", "Average", StartAverage},
    {"MIN", "Min", StartMin},
    {"MAX", "Max", StartMax},
    {"MAKELIST", "MakeList", StartList},
    {"MAKESET", "MakeSet", StartSet},
};

const Entry& EntryOf(Aggregate aggregate) { return kEntries[static_cast<size_t>(aggregate)]; }

}  // namespace

std::optional<Aggregate> FindAggregate(std::string_view name) {
  const auto upper = [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  };
  const auto* found = std::ranges::find_if(kEntries, [&](const Entry& entry) {
    return std::ranges::equal(name, entry.name, {}, upper);
  });
  if (found == std::end(kEntries)) return std::nullopt;
  return static_cast<Aggregate>(found - std::begin(kEntries));
}

std::string_view PlanNameOf(Aggregate aggregate) { return EntryOf(aggregate).plan_name; }

std::unique_ptr<Accumulator> StartAggregate(Aggregate aggregate) {
  return EntryOf(aggregate).start();
}

}  // namespace orrery::sql
