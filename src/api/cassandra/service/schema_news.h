// Tells clients of one node what has changed of the schema, whichever node it was changed through,
// and wakes whoever fills new views.
//
// A statement of this node is told at once, in its own words. What other nodes changed is seen by
// the catalog, and found out by comparing (schema/schema_diff.h). A change may be told twice, when
// both happen at one time; it is never left out.
//
// Thread-safe.
#pragma once

#include <functional>

#include "api/cassandra/executor/schema_listener.h"
#include "api/cassandra/schema/schema_cache.h"
#include "api/cassandra/server/event/event.h"
#include "base/mutex.h"

namespace orrery::cassandra {

class SchemaNews final : public SchemaListener {
 public:
  // `tell` is given the news, and must not block; `schema_changed` is called after each statement
  // of this node. The cache must outlive it.
  SchemaNews(const SchemaCache& schema, std::function<void(Event)> tell,
             std::function<void()> schema_changed);

  // A statement of this node has made `change`.
  void SchemaChanged(const SchemaChange& change) override EXCLUDES(mutex_);

  // Tells what else has changed. Every half second or so; costs next to nothing while nothing has.
  void Follow() EXCLUDES(mutex_);

 private:
  // Returns the differences from what clients were told last, which counts as told from here on.
  std::vector<SchemaChange> Untold() EXCLUDES(mutex_);

  const SchemaCache& schema_;
  const std::function<void(Event)> tell_;
  const std::function<void()> schema_changed_;
  Mutex mutex_;
  SchemaPtr told_ GUARDED_BY(mutex_);
};

}  // namespace orrery::cassandra
