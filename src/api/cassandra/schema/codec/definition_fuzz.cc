// Stored definitions are bytes from a disk: whatever is in them, a table or keyspace is read or an
// error comes back, and what was read is written and read the same.
#include <cstdint>

#include "api/cassandra/schema/codec/keyspace_codec.h"
#include "api/cassandra/schema/codec/table_codec.h"
#include "base/check.h"

namespace orrery::cassandra {
namespace {

void TryKeyspace(const model::Document& extra) {
  auto database = std::make_shared<gateway::DatabaseEntry>();
  database->name = "ks";
  database->extra = extra;
  const auto decoded = DecodeKeyspace(database);
  if (!decoded.has_value()) return;
  auto again = std::make_shared<gateway::DatabaseEntry>(*database);
  again->extra = EncodeKeyspace(*decoded);
  const auto same = DecodeKeyspace(again);
  ORRERY_CHECK(same.has_value());
  ORRERY_CHECK(EncodeKeyspace(*same) == *again->extra);
}

void TryTable(const model::Document& extra) {
  Keyspace keyspace;
  keyspace.name = "ks";
  auto container = std::make_shared<gateway::ContainerEntry>();
  container->settings.name = "t";
  container->settings.extra = extra;
  // Any rules: the definition decides whether they fit.
  container->settings.rows.emplace();
  const auto decoded = DecodeTable(container, keyspace);
  if (!decoded.has_value()) return;
  auto again = std::make_shared<gateway::ContainerEntry>();
  again->settings = EncodeTable(*decoded, {});
  const auto same = DecodeTable(again, keyspace);
  ORRERY_CHECK(same.has_value());
  ORRERY_CHECK(EncodeTable(*same, {}) == again->settings);
}

}  // namespace
}  // namespace orrery::cassandra

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery;
  auto extra = model::Document::FromBson(std::string(reinterpret_cast<const char*>(data), size));
  if (!extra.has_value()) return 0;
  cassandra::TryKeyspace(*extra);
  cassandra::TryTable(*extra);
  return 0;
}
