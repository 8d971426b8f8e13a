#include "api/sql/container/composite_indexes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "api/sql/container/policy_indexes.h"
#include "net/http/http_message.h"

namespace orrery::sql {
namespace {

using model::Kind;
using model::Value;

constexpr size_t kCompositeIndexesMax = 100;
constexpr size_t kCompositePathsMax = 8;

std::unexpected<Error> BadCompositeIndexes(std::string_view what) {
  return Fail(Code::kInvalidArgument, fmt::format("indexingPolicy: compositeIndexes: {}", what));
}

Result<bool> IsDescending(const Value& entry) {
  const Value* order = entry.Find("order");
  if (order == nullptr || order->is_null()) return false;
  if (order->kind() == Kind::kString) {
    if (net::EqualsIgnoringCase(order->AsString(), "ascending")) return false;
    if (net::EqualsIgnoringCase(order->AsString(), "descending")) return true;
  }
  return BadCompositeIndexes("an 'order' must be ascending or descending");
}

Result<item::NamedIndex> CompositeIndexFrom(const Value& json) {
  if (json.kind() != Kind::kArray) return BadCompositeIndexes("each must be an array of paths");
  const model::Values& entries = json.AsValues();
  if (entries.size() < 2 || entries.size() > kCompositePathsMax)
    return BadCompositeIndexes(fmt::format("an index has from 2 to {} paths", kCompositePathsMax));
  item::NamedIndex index{.id = 0, .name = std::string(kCompositeName), .paths = {}};
  std::optional<bool> first;
  bool is_mixed = false;
  for (const Value& entry : entries) {
    ORRERY_ASSIGN(model::Path path, PolicyPathOf(entry, "compositeIndexes", ArraySteps::kPassed));
    ORRERY_ASSIGN(const bool is_descending, IsDescending(entry));
    if (std::ranges::find(index.paths, path) != index.paths.end())
      return BadCompositeIndexes(
          fmt::format("the path '{}' is given twice in one index", path.ToString()));
    first = first.value_or(is_descending);
    const bool is_turned = is_descending != *first;
    is_mixed = is_mixed || is_turned;
    index.name += path.ToString() + (is_turned ? " descending " : "");
    index.paths.push_back(std::move(path));
    index.directions.push_back(is_turned ? model::Direction::kDescending
                                         : model::Direction::kAscending);
  }
  if (!is_mixed) index.directions.clear();
  return index;
}

}  // namespace

Result<std::vector<item::NamedIndex>> CompositeIndexesFrom(const Value& json) {
  if (json.kind() != Kind::kArray) return BadCompositeIndexes("it must be an array");
  if (json.AsValues().size() > kCompositeIndexesMax)
    return BadCompositeIndexes(fmt::format("there may be {} of them", kCompositeIndexesMax));
  std::vector<item::NamedIndex> indexes;
  for (const Value& entry : json.AsValues()) {
    ORRERY_ASSIGN(item::NamedIndex index, CompositeIndexFrom(entry));
    if (std::ranges::find(indexes, index.name, &item::NamedIndex::name) == indexes.end())
      indexes.push_back(std::move(index));
  }
  return indexes;
}

}  // namespace orrery::sql
