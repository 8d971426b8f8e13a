#include "gateway/position/named_index_values.h"

#include <utility>

#include "item/index/index_terms.h"

namespace orrery::gateway {

NamedIndexValues::NamedIndexValues(const item::ContainerSchema& schema, item::IndexId index)
    : policy_(schema.indexing), index_(index), order_(schema.order) {}

Result<std::vector<std::string>> NamedIndexValues::Of(model::DocumentView document) const {
  return item::ValuesIn(policy_, index_, document, order_);
}

}  // namespace orrery::gateway
