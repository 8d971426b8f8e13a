// Says which of a container's computed properties indexes have, and in which form.
//
// A property is indexed when a path of the indexing policy names it; "/*" does not. One whose value
// needs more of a document than is stored (`_etag`, or the document as a whole) is not.
//
// Thread-safe.
#pragma once

#include <string>
#include <vector>

#include "api/sql/function/function_registry.h"
#include "api/sql/query/computed/computed_properties.h"
#include "gateway/catalog/container_settings.h"

namespace orrery::sql {

// Compiles definitions for whoever writes items (gateway/core.h). Must outlive what it made.
class SqlComputedMaker final : public item::ComputedMaker {
 public:
  Result<std::shared_ptr<const item::ComputedValues>> Make(
      const std::vector<item::ComputedDefinition>& definitions) const override;

 private:
  const FunctionRegistry functions_;
};

// Those of the properties that the policy names. `json` as a container keeps it.
std::vector<item::ComputedDefinition> IndexedComputed(const model::Value& json,
                                                      const gateway::IndexingSettings& indexing);

}  // namespace orrery::sql
