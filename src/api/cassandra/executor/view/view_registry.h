// The views of each base table, compiled, as the newest schema has them.
//
// Views are looked up at the moment of the write's turn, not when the statement is planned: of two
// writes of a row the later one then never knows less of its views than the earlier one did, and
// what it puts there is complete.
//
// Thread-safe. Find costs a few pointer copies while the schema stands still; after a change the
// first caller compiles what is new.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/executor/view/view_projection.h"
#include "api/cassandra/function/function_context.h"
#include "api/cassandra/function/function_library.h"
#include "api/cassandra/schema/schema_cache.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "base/published.h"

namespace orrery::cassandra {

// At least one view.
struct BaseViews {
  TablePtr base;
  std::vector<ViewProjection> views;
  // Set when one of the views cannot be maintained: then the base must not be written.
  std::optional<CqlError> error;

  // Null when it is none of them.
  const ViewProjection* FindView(std::string_view id) const;
};
using BaseViewsPtr = std::shared_ptr<const BaseViews>;

class ViewRegistry {
 public:
  // All must outlive it.
  struct Parts {
    const SchemaCache& schema;
    const FunctionLibrary& functions;
    UuidSource& uuids;
    const Clock& clock;
  };
  explicit ViewRegistry(const Parts& parts) : parts_(parts) {}

  // By Table::id; null when the table is gone or has no views.
  BaseViewsPtr Find(std::string_view base_id) const EXCLUDES(mutex_);
  // The same by the container that the table's rows are in.
  BaseViewsPtr FindByContainer(ContainerId container) const EXCLUDES(mutex_);

 private:
  struct Compiled {
    SchemaPtr schema;
    std::map<std::string, BaseViewsPtr, std::less<>> by_base;
    std::map<ContainerId, BaseViewsPtr> by_container;
  };

  std::shared_ptr<const Compiled> Current() const EXCLUDES(mutex_);
  BaseViewsPtr Compile(const Schema& schema, const Keyspace& keyspace, TablePtr base,
                       const std::vector<TablePtr>& views) const;

  const Parts parts_;
  mutable Mutex mutex_;  // held while views are compiled
  mutable Published<Compiled> compiled_;
};

}  // namespace orrery::cassandra
