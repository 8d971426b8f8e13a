#include "query/access/term_path.h"

#include <algorithm>
#include <string>

#include "model/key/key_codec.h"
#include "model/search/search_rules.h"
#include "model/text/indexed_terms.h"
#include "query/access/named_index.h"

namespace orrery::query {

std::optional<IndexPath> TermPathOf(const std::vector<TermCondition>& conditions,
                                    const item::ContainerSchema& schema) {
  const TermCondition* best = nullptr;
  std::optional<item::IndexId> best_index;
  const auto is_better = [&](const TermCondition& condition) {
    if (best == nullptr || condition.terms.size() != best->terms.size())
      return best == nullptr || condition.terms.size() < best->terms.size();
    return condition.terms.front().size() > best->terms.front().size();
  };
  for (const TermCondition& condition : conditions) {
    const auto index = FindNamedIndex(schema, item::IndexKind::kTerms, condition.path);
    if (!index.has_value() || !is_better(condition)) continue;
    best = &condition;
    best_index = index;
  }
  if (best == nullptr) return std::nullopt;
  std::vector<std::string> values;
  for (const model::Value& value : model::IndexedTermsToFind(best->terms))
    values.push_back(model::EncodeKey({&value, 1}, schema.order));
  std::ranges::sort(values);
  IndexPath path{.paths = {best->path}, .index = *best_index, .ranges = {}, .is_named = true};
  path.kind = item::IndexKind::kTerms;
  for (const std::string& value : values) path.ranges.push_back({{{value, true}}, {{value, true}}});
  return path;
}

std::optional<IndexPath> SearchPathOf(const SearchCondition& condition,
                                      const item::ContainerSchema& schema) {
  const auto& named = schema.indexing.named();
  const auto index =
      std::ranges::find(named, item::IndexKind::kSearchTerms, &item::NamedIndex::kind);
  if (index == named.end() || !IsBuilt(schema, *index)) return std::nullopt;
  IndexPath path{.paths = {DocumentPath()},
                 .index = item::NamedIndexId(index->id),
                 .ranges = {},
                 .is_named = true};
  path.kind = item::IndexKind::kSearchTerms;
  std::vector<std::string> values;
  for (const model::Value& value : model::SearchValuesToFind(condition.terms))
    values.push_back(model::EncodeKey({&value, 1}, schema.order));
  std::ranges::sort(values);
  const auto repeated = std::ranges::unique(values);
  values.erase(repeated.begin(), repeated.end());
  for (const std::string& value : values) path.ranges.push_back({{{value, true}}, {{value, true}}});
  return path;
}

}  // namespace orrery::query
