#include "api/cassandra/schema/schema_cache.h"

#include <fmt/format.h>

#include <utility>

#include "api/cassandra/schema/codec/definition.h"
#include "api/cassandra/schema/codec/keyspace_codec.h"
#include "api/cassandra/schema/codec/table_codec.h"
#include "base/bytes.h"
#include "base/log.h"
#include "base/murmur3.h"

namespace orrery::cassandra {
namespace {

using gateway::CatalogSnapshot;
using gateway::ContainerRef;
using gateway::DatabaseRef;

bool SameTypes(const Keyspace& a, const Keyspace& b) {
  return std::ranges::equal(a.types, b.types, [](const auto& x, const auto& y) {
    return x.first == y.first && (x.second == y.second || *x.second == *y.second);
  });
}

bool SameTables(const Keyspace& a, const Keyspace& b) {
  return std::ranges::equal(a.tables, b.tables,
                            [](const auto& x, const auto& y) { return x.second == y.second; });
}

class Builder {
 public:
  Builder(const CatalogSnapshot& catalog, const Schema* former, Schema& schema)
      : catalog_(catalog), former_(former), schema_(schema) {}

  void AddKeyspace(const DatabaseRef& database) {
    const KeyspacePtr before = former_ == nullptr ? nullptr : former_->FindKeyspace(database->name);
    Keyspace keyspace;
    if (before != nullptr && before->database == database) {
      keyspace = *before;
      keyspace.tables.clear();
    } else {
      auto decoded = DecodeKeyspace(database);
      if (!decoded.has_value()) return Damaged(database->name, std::move(decoded).error());
      keyspace = *std::move(decoded);
    }
    const bool reuse = before != nullptr && SameTypes(*before, keyspace);
    for (const ContainerRef& container : catalog_.ListContainers(database->id))
      AddTable(container, reuse ? before.get() : nullptr, keyspace);
    const bool unchanged =
        before != nullptr && before->database == database && SameTables(*before, keyspace);
    schema_.keyspaces[database->name] =
        unchanged ? before : std::make_shared<const Keyspace>(std::move(keyspace));
  }

 private:
  void AddTable(const ContainerRef& container, const Keyspace* before, Keyspace& keyspace) {
    if (!IsOurs(container->settings.extra) || !container->settings.rows.has_value()) return;
    const std::string& name = container->settings.name;
    if (before != nullptr) {
      if (TablePtr same = before->FindTable(name);
          same != nullptr && same->container == container) {
        keyspace.tables.emplace(name, std::move(same));
        return;
      }
    }
    auto decoded = DecodeTable(container, keyspace);
    if (!decoded.has_value())
      return Damaged(fmt::format("{}.{}", keyspace.name, name), std::move(decoded).error());
    keyspace.tables.emplace(name, std::make_shared<const Table>(*std::move(decoded)));
  }

  void Damaged(std::string name, Error error) {
    const bool known = former_ != nullptr && former_->damaged.contains(name);
    if (!known) LogError("{}; it is left out, the rest of the schema is there", error.ToString());
    schema_.damaged.emplace(std::move(name), std::move(error));
  }

  const CatalogSnapshot& catalog_;
  const Schema* const former_;
  Schema& schema_;
};

// A uuid of version 3: made from a hash of names. Only definitions count, so nodes that have the
// same agree, and a change of throughput does not send drivers to read the schema again.
std::string VersionOf(const Schema& schema) {
  std::string text;
  for (const auto& [name, keyspace] : schema.keyspaces) {
    if (keyspace->is_virtual) continue;
    AppendLengthPrefixed(text, name);
    AppendBigEndian(text, keyspace->digest);
    AppendVarint(text, keyspace->tables.size());
    for (const auto& [table_name, table] : keyspace->tables) AppendBigEndian(text, table->digest);
  }
  std::string uuid;
  Murmur3(text).AppendTo(uuid);
  uuid[6] = static_cast<char>((uuid[6] & 0x0f) | 0x30);
  uuid[8] = static_cast<char>((uuid[8] & 0x3f) | 0x80);
  return uuid;
}

}  // namespace

SchemaPtr BuildSchema(std::shared_ptr<const CatalogSnapshot> catalog,
                      const std::vector<KeyspacePtr>& virtual_keyspaces, const Schema* former) {
  auto schema = std::make_shared<Schema>();
  Builder builder(*catalog, former, *schema);
  for (const DatabaseRef& database : catalog->ListDatabases()) {
    if (IsOurs(database->extra)) builder.AddKeyspace(database);
  }
  for (const KeyspacePtr& keyspace : virtual_keyspaces) {
    schema->keyspaces[keyspace->name] = keyspace;
  }
  schema->version = VersionOf(*schema);
  schema->source = std::move(catalog);
  return schema;
}

SchemaCache::SchemaCache(const gateway::Catalog& catalog,
                         std::vector<KeyspacePtr> virtual_keyspaces)
    : catalog_(catalog), virtual_keyspaces_(std::move(virtual_keyspaces)) {}

SchemaPtr SchemaCache::Current() const {
  auto picture = catalog_.snapshot();
  if (SchemaPtr schema = schema_.Load(); schema != nullptr && schema->source == picture)
    return schema;
  MutexLock lock(mutex_);
  // Another caller may have built it meanwhile, or one that is newer still.
  picture = catalog_.snapshot();
  const SchemaPtr former = schema_.Load();
  if (former != nullptr && former->source == picture) return former;
  SchemaPtr next = BuildSchema(std::move(picture), virtual_keyspaces_, former.get());
  schema_.Store(next);
  return next;
}

}  // namespace orrery::cassandra
