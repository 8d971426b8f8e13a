#include "api/sql/handler/document/document_target.h"

#include <fmt/format.h>

#include <utility>

#include "api/sql/document/container_names.h"
#include "api/sql/document/document_id.h"
#include "api/sql/request/partition_key_text.h"

namespace orrery::sql {
namespace {

using model::Kind;

constexpr size_t kRidPagesMax = 100'000;

SqlResult<item::ItemKey> ItemKeyOf(const gateway::Gateway& gateway,
                                   const gateway::ContainerEntry& container,
                                   const gateway::KeyValues& partition_key, const std::string& id) {
  SQL_ASSIGN(gateway::RoutedKey routed, gateway.RoutePartitionKey(container, partition_key));
  SQL_ASSIGN(std::string row_key, gateway.EncodeRowKey(container, model::Value::String(id)));
  return item::ItemKey{routed.hash, std::move(routed.encoded), std::move(row_key)};
}

}  // namespace

SqlResult<void> CheckTtl(const model::Value& ttl) {
  if (ttl.kind() == Kind::kInt32 && ttl.AsInteger() >= -1 && ttl.AsInteger() != 0) return {};
  return Refuse(400,
                "The input ttl is invalid: it must be -1 or a whole number of seconds from 1 to "
                "2147483647");
}

SqlResult<gateway::KeyValues> KeyOfRequest(const gateway::ContainerEntry& container,
                                           const RequestHeaders& headers) {
  const size_t paths = container.settings.partition_key_paths.size();
  if (!headers.partition_key.has_value()) {
    if (paths == 0) return gateway::KeyValues();
    return Refuse(400,
                  "PartitionKey value must be supplied for this operation: send the header "
                  "x-ms-documentdb-partitionkey");
  }
  gateway::KeyValues values = KeyFor(container, *headers.partition_key);
  if (values.size() != paths) {
    return Refuse(
        400,
        fmt::format("Partition key provided either doesn't correspond to definition in the "
                    "collection or doesn't match partition key field values specified in "
                    "the document. It has {} values, the container's has {}",
                    values.size(), paths),
        Substatus::kPartitionKeyMismatch);
  }
  return values;
}

SqlResult<DocumentTarget> TargetOf(const gateway::Gateway& gateway,
                                   const gateway::ContainerEntry& container,
                                   gateway::KeyValues partition_key, std::string id) {
  SQL_ASSIGN(item::ItemKey key, ItemKeyOf(gateway, container, partition_key, id));
  return DocumentTarget{std::move(partition_key), std::move(id), std::move(key)};
}

SqlResult<DocumentTarget> TargetOf(const gateway::Gateway& gateway,
                                   const gateway::ContainerEntry& container,
                                   const std::optional<gateway::KeyValues>& named,
                                   model::DocumentView document) {
  SQL_ASSIGN(std::string id, DocumentIdOf(document));
  if (const auto ttl = document.Find("ttl"); ttl.has_value()) SQL_TRY(CheckTtl(ttl->ToValue()));
  gateway::KeyValues values = gateway::PartitionKeyOf(*container.schema, document);
  SQL_ASSIGN(DocumentTarget target, TargetOf(gateway, container, std::move(values), std::move(id)));
  if (!named.has_value()) return target;
  const auto routed = gateway.RoutePartitionKey(container, KeyFor(container, *named));
  if (!routed.has_value() || routed->encoded != target.key.partition_key) {
    return Refuse(400,
                  "PartitionKey extracted from document doesn't match the one specified in the "
                  "header.",
                  Substatus::kPartitionKeyMismatch);
  }
  return target;
}

SqlResult<std::string> IdOfRid(gateway::Gateway& gateway, const gateway::ContainerRef& container,
                               const gateway::KeyValues& partition_key, std::string_view rid) {
  const ContainerNames names(*container);
  gateway::ScanSpec spec;
  spec.partition_key = partition_key;
  std::string continuation;
  for (size_t page = 0; page < kRidPagesMax; ++page) {
    SQL_ASSIGN(const gateway::ScanResponse scanned, gateway.Scan(container, spec, continuation));
    for (const item::ScannedItem& found : scanned.items) {
      if (names.DocumentRid(found.key) != rid) continue;
      const auto id = found.document.view().Find("id");
      if (id.has_value() && id->kind() == Kind::kString) return std::string(id->AsString());
    }
    continuation = scanned.continuation;
    if (continuation.empty()) break;
  }
  return Refuse(404, fmt::format("Resource Not Found: no document of this partition key has the "
                                 "_rid '{}'",
                                 rid));
}

}  // namespace orrery::sql
