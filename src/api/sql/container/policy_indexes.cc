#include "api/sql/container/policy_indexes.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace orrery::sql {
namespace {

bool IsOfPolicy(const item::NamedIndex& index) {
  return index.name.starts_with(kCompositeName) || index.name.starts_with(kFullTextName) ||
         index.name.starts_with(kSpatialName);
}

}  // namespace

std::vector<item::NamedIndex> WithPolicyIndexes(std::vector<item::NamedIndex> known,
                                                std::vector<item::NamedIndex> wanted,
                                                uint32_t highest_id) {
  for (item::NamedIndex& index : wanted) {
    const auto same = std::ranges::find(known, index.name, &item::NamedIndex::name);
    index.id = same == known.end() ? ++highest_id : same->id;
  }
  std::erase_if(known, IsOfPolicy);
  std::ranges::move(wanted, std::back_inserter(known));
  return known;
}

}  // namespace orrery::sql
