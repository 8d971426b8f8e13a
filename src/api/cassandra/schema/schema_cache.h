// Makes the schema of what the catalog holds, and keeps it until the catalog changes.
//
// The schema is a pure function of a catalog snapshot and of the virtual keyspaces: whoever
// changes a definition (ddl/schema_editor.h) changes the catalog only. Databases and containers
// that other APIs made are not in it.
//
// Thread-safe. Current() costs two pointer copies while the catalog stands still; after a change
// the first caller builds the next schema, from the former one where that still holds, and others
// wait for it.
#pragma once

#include <memory>
#include <vector>

#include "api/cassandra/schema/schema.h"
#include "base/mutex.h"
#include "base/published.h"
#include "gateway/catalog/catalog.h"

namespace orrery::cassandra {

class SchemaCache {
 public:
  // `catalog` must outlive it. Virtual keyspaces win over databases of the same name.
  SchemaCache(const gateway::Catalog& catalog, std::vector<KeyspacePtr> virtual_keyspaces);

  // The schema of the catalog as it is now, or newer.
  SchemaPtr Current() const EXCLUDES(mutex_);

 private:
  const gateway::Catalog& catalog_;
  const std::vector<KeyspacePtr> virtual_keyspaces_;
  mutable Mutex mutex_;  // held while a schema is built
  mutable Published<Schema> schema_;
};

// Builds what Current() returns. `former` may be null; tables and keyspaces of it whose entries in
// the catalog are still the same are taken over.
SchemaPtr BuildSchema(std::shared_ptr<const gateway::CatalogSnapshot> catalog,
                      const std::vector<KeyspacePtr>& virtual_keyspaces, const Schema* former);

}  // namespace orrery::cassandra
