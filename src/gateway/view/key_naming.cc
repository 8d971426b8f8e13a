#include "gateway/view/key_naming.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/bytes.h"
#include "base/check.h"
#include "gateway/row/row_keys.h"
#include "model/document/json.h"
#include "model/key/key_codec.h"
#include "partition/key/cassandra_key.h"
#include "partition/key/partition_key.h"

namespace orrery::gateway {
namespace {

// The database of Azure's tables, and the field that MongoDB's collections have.
constexpr std::string_view kTableDatabase = "TablesDB";
constexpr std::string_view kMongoField = "mongo";

// "/a/b" as MongoDB's users write it: "a.b".
std::string Dotted(std::string_view path) {
  std::string dotted(path.starts_with('/') ? path.substr(1) : path);
  std::ranges::replace(dotted, '/', '.');
  return dotted;
}

}  // namespace

void KeyNamings::Add(const KeyNaming& naming) {
  for (auto& slot : namings_) {
    if (slot.load() != nullptr) continue;
    slot.store(&naming, std::memory_order_release);
    return;
  }
  ORRERY_CHECK(false);
}

std::vector<std::string> KeyNamings::ColumnsOf(const ContainerEntry& container) const {
  std::optional<std::vector<std::string>> columns;
  Each([&](const KeyNaming& naming) {
    columns = naming.ColumnsOf(container);
    return columns.has_value();
  });
  if (columns.has_value()) return *std::move(columns);
  const std::string_view api = ApiOf(container);
  if (api == "table") return {"PartitionKey"};
  columns = container.settings.partition_key_paths;
  if (api == "mongo") {
    for (std::string& path : *columns) path = Dotted(path);
  }
  return *std::move(columns);
}

std::string KeyNamings::ValuesOf(const ContainerEntry& container, std::string_view encoded) const {
  std::optional<std::string> shown;
  Each([&](const KeyNaming& naming) {
    shown = naming.ValuesOf(container, encoded);
    return shown.has_value();
  });
  if (shown.has_value()) return *std::move(shown);
  auto values = model::DecodeKey(encoded);
  if (!values.has_value()) return fmt::format("\"0x{}\"", ToHex(encoded));
  return model::ToJson(model::Value::Array(*std::move(values)));
}

Result<RoutedKey> KeyNamings::Route(const ContainerEntry& container, const model::Values& values,
                                    const partition::Limits& limits) const {
  const KeyNaming* found = nullptr;
  Each([&](const KeyNaming& naming) {
    if (naming.ColumnsOf(container).has_value()) found = &naming;
    return found != nullptr;
  });
  if (found == nullptr) return RoutePartitionKey(*container.schema, values, limits);
  ORRERY_ASSIGN(const std::string serialized, found->Serialize(container, values));
  return RouteSerializedKey(serialized, limits);
}

std::optional<Hash128> RingPositionOf(const ContainerEntry& container, std::string_view encoded) {
  if (container.settings.hashing == partition::KeyHashing::kCassandra) {
    const auto serialized = SerializedKey(encoded);
    if (!serialized.has_value()) return std::nullopt;
    return partition::CassandraPosition(*serialized);
  }
  const auto values = model::DecodeKey(encoded);
  if (!values.has_value()) return std::nullopt;
  if (values->empty()) return Hash128::Min();
  const auto hash = partition::HashOf(container.settings.hashing, *values);
  return hash.has_value() ? std::optional(*hash) : std::nullopt;
}

std::string_view ApiOf(const ContainerEntry& container) {
  if (container.schema != nullptr && container.schema->rows.has_value()) return "cassandra";
  if (container.database_name == kTableDatabase) return "table";
  const auto& extra = container.settings.extra;
  if (extra.has_value() && extra->view().Find(kMongoField).has_value()) return "mongo";
  return "sql";
}

}  // namespace orrery::gateway
