#include "api/sql/container/full_text_indexes.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "api/sql/container/policy_indexes.h"

namespace orrery::sql {
namespace {

using model::Kind;
using model::Value;

std::unexpected<Error> BadFullTextIndexes(std::string_view what) {
  return Fail(Code::kInvalidArgument, fmt::format("indexingPolicy: fullTextIndexes: {}", what));
}

Result<item::NamedIndex> FullTextIndexFrom(const Value& json) {
  ORRERY_ASSIGN(model::Path path, PolicyPathOf(json, "fullTextIndexes"));
  item::NamedIndex index{
      .id = 0, .name = std::string(kFullTextName) + path.ToString(), .paths = {}};
  index.kind = item::IndexKind::kTerms;
  index.paths.push_back(std::move(path));
  return index;
}

}  // namespace

Result<std::vector<item::NamedIndex>> FullTextIndexesFrom(const Value& json) {
  if (json.kind() != Kind::kArray) return BadFullTextIndexes("it must be an array");
  std::vector<item::NamedIndex> indexes;
  for (const Value& entry : json.AsValues()) {
    ORRERY_ASSIGN(item::NamedIndex index, FullTextIndexFrom(entry));
    if (std::ranges::find(indexes, index.name, &item::NamedIndex::name) == indexes.end())
      indexes.push_back(std::move(index));
  }
  return indexes;
}

}  // namespace orrery::sql
