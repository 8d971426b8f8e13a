#include "gateway/position/named_index_values.h"

#include <utility>

#include "item/index/index_terms.h"

namespace orrery::gateway {

NamedIndexValues::NamedIndexValues(const item::ContainerSchema& schema, item::IndexId index)
    : order_(schema.order) {
  for (const item::NamedIndex& named : schema.indexing.named())
    if (item::NamedIndexId(named.id) == index) only_ = item::IndexPolicy().WithNamed({named});
}

Result<std::vector<std::string>> NamedIndexValues::Of(model::DocumentView document) const {
  ORRERY_ASSIGN(std::vector<item::IndexTerm> terms, item::TermsOf(only_, document, order_));
  std::vector<std::string> values;
  values.reserve(terms.size());
  for (item::IndexTerm& term : terms) values.push_back(std::move(term.value));
  return values;
}

}  // namespace orrery::gateway
