#include "api/cassandra/service/schema_news.h"

#include <utility>
#include <vector>

#include "api/cassandra/schema/schema_diff.h"

namespace orrery::cassandra {

SchemaNews::SchemaNews(const SchemaCache& schema, std::function<void(Event)> tell,
                       std::function<void()> schema_changed)
    : schema_(schema),
      tell_(std::move(tell)),
      schema_changed_(std::move(schema_changed)),
      told_(schema.Current()) {}

void SchemaNews::SchemaChanged(const SchemaChange& change) {
  tell_(change);
  for (SchemaChange& other : Untold())
    if (other != change) tell_(std::move(other));
  schema_changed_();
}

void SchemaNews::Follow() {
  for (SchemaChange& change : Untold()) tell_(std::move(change));
}

std::vector<SchemaChange> SchemaNews::Untold() {
  MutexLock lock(mutex_);
  SchemaPtr now = schema_.Current();
  if (now == told_) return {};
  std::vector<SchemaChange> changes = ChangesBetween(*told_, *now);
  told_ = std::move(now);
  return changes;
}

}  // namespace orrery::cassandra
