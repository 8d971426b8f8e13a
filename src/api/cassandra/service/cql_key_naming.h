// Shows the partition keys of tables as CQL has them: columns by their names, values as SELECT JSON
// gives them.
//
// Thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/schema/schema_cache.h"
#include "gateway/view/key_naming.h"

namespace orrery::cassandra {

class CqlKeyNaming final : public gateway::KeyNaming {
 public:
  // `schema` must outlive it.
  explicit CqlKeyNaming(const SchemaCache& schema) : schema_(schema) {}

  std::optional<std::vector<std::string>> ColumnsOf(
      const gateway::ContainerEntry& container) const override;
  std::optional<std::string> ValuesOf(const gateway::ContainerEntry& container,
                                      std::string_view encoded) const override;
  Result<std::string> Serialize(const gateway::ContainerEntry& container,
                                const model::Values& values) const override;

 private:
  TablePtr TableOf(const gateway::ContainerEntry& container) const;

  const SchemaCache& schema_;
};

}  // namespace orrery::cassandra
