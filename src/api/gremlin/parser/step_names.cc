#include "api/gremlin/parser/step_names.h"

#include <algorithm>
#include <array>
#include <vector>

#include "query/lexer/character_class.h"

namespace orrery::gremlin {
namespace {

constexpr auto kSteps = std::to_array<std::string_view>({"E",
                                                         "V",
                                                         "addE",
                                                         "addV",
                                                         "aggregate",
                                                         "all",
                                                         "and",
                                                         "any",
                                                         "as",
                                                         "asBool",
                                                         "asDate",
                                                         "asNumber",
                                                         "asString",
                                                         "barrier",
                                                         "both",
                                                         "bothE",
                                                         "bothV",
                                                         "branch",
                                                         "by",
                                                         "call",
                                                         "cap",
                                                         "choose",
                                                         "coalesce",
                                                         "coin",
                                                         "combine",
                                                         "concat",
                                                         "conjoin",
                                                         "connectedComponent",
                                                         "constant",
                                                         "count",
                                                         "cyclicPath",
                                                         "dateAdd",
                                                         "dateDiff",
                                                         "dedup",
                                                         "difference",
                                                         "discard",
                                                         "disjunct",
                                                         "drop",
                                                         "element",
                                                         "elementMap",
                                                         "emit",
                                                         "executionProfile",
                                                         "fail",
                                                         "filter",
                                                         "flatMap",
                                                         "fold",
                                                         "format",
                                                         "from",
                                                         "group",
                                                         "groupCount",
                                                         "has",
                                                         "hasId",
                                                         "hasKey",
                                                         "hasLabel",
                                                         "hasNot",
                                                         "hasValue",
                                                         "id",
                                                         "identity",
                                                         "in",
                                                         "inE",
                                                         "inV",
                                                         "index",
                                                         "inject",
                                                         "intersect",
                                                         "io",
                                                         "is",
                                                         "key",
                                                         "lTrim",
                                                         "label",
                                                         "length",
                                                         "limit",
                                                         "local",
                                                         "loops",
                                                         "map",
                                                         "match",
                                                         "math",
                                                         "max",
                                                         "mean",
                                                         "merge",
                                                         "mergeE",
                                                         "mergeV",
                                                         "min",
                                                         "none",
                                                         "not",
                                                         "option",
                                                         "optional",
                                                         "or",
                                                         "order",
                                                         "otherV",
                                                         "out",
                                                         "outE",
                                                         "outV",
                                                         "pageRank",
                                                         "path",
                                                         "peerPressure",
                                                         "product",
                                                         "profile",
                                                         "program",
                                                         "project",
                                                         "properties",
                                                         "property",
                                                         "propertyMap",
                                                         "rTrim",
                                                         "range",
                                                         "read",
                                                         "repeat",
                                                         "replace",
                                                         "reverse",
                                                         "sack",
                                                         "sample",
                                                         "select",
                                                         "shortestPath",
                                                         "sideEffect",
                                                         "simplePath",
                                                         "skip",
                                                         "split",
                                                         "store",
                                                         "subgraph",
                                                         "substring",
                                                         "sum",
                                                         "tail",
                                                         "timeLimit",
                                                         "times",
                                                         "to",
                                                         "toE",
                                                         "toLower",
                                                         "toUpper",
                                                         "toV",
                                                         "tree",
                                                         "trim",
                                                         "unfold",
                                                         "union",
                                                         "until",
                                                         "value",
                                                         "valueMap",
                                                         "values",
                                                         "where",
                                                         "with",
                                                         "write"});

constexpr auto kSourceSteps =
    std::to_array<std::string_view>({"with", "withBulk", "withComputer", "withPath", "withSack",
                                     "withSideEffect", "withStrategies", "withoutStrategies"});

constexpr auto kTerminals = std::to_array<std::string_view>(
    {"next", "toList", "toSet", "toBulkSet", "iterate", "hasNext", "tryNext", "explain"});

size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t change =
          diagonal + (query::ToLower(a[i - 1]) == query::ToLower(b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

bool IsStepName(std::string_view name) { return std::ranges::find(kSteps, name) != kSteps.end(); }
bool IsSourceStepName(std::string_view name) {
  return std::ranges::find(kSourceSteps, name) != kSourceSteps.end();
}
bool IsTerminalName(std::string_view name) {
  return std::ranges::find(kTerminals, name) != kTerminals.end();
}

std::optional<std::string_view> NearestStepName(std::string_view name) {
  constexpr size_t kNameBytesMax = 40;
  if (name.size() > kNameBytesMax) return std::nullopt;
  size_t best = std::max<size_t>(1, name.size() / 3) + 1;
  std::optional<std::string_view> nearest;
  for (const std::string_view step : kSteps) {
    const size_t distance = EditDistance(name, step);
    if (distance >= best) continue;
    best = distance;
    nearest = step;
  }
  return nearest;
}

std::string UnknownStep(std::string_view name) {
  constexpr size_t kShownBytesMax = 80;
  std::string text =
      "Unable to find any method '" + std::string(name.substr(0, kShownBytesMax)) + "'";
  if (const auto nearest = NearestStepName(name); nearest.has_value())
    text += ": did you mean '" + std::string(*nearest) + "'?";
  return text;
}

}  // namespace orrery::gremlin
