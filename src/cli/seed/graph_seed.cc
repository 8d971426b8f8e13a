#include "cli/seed/graph_seed.h"

#include <fmt/format.h>

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "cli/seed/batch_workers.h"
#include "cli/seed/client/http_api_client.h"
#include "cli/seed/item_file.h"
#include "cli/seed/text/statement_splitter.h"
#include "model/document/json.h"

namespace orrery::cli {
namespace {

constexpr size_t kEntityConnections = 4;
constexpr size_t kEntitiesPerBatch = 50;

using EntityBatch = std::vector<ItemText>;

// Fields of CSV are text; those of a type that JSON has are written as it does.
Result<std::string> TypedEntity(const model::Document& entity) {
  model::Fields fields = entity.view().ToObject().AsFields();
  for (model::Field& field : fields) {
    const auto type = entity.view().Get(field.name + "@odata.type");
    if (type.kind() != model::Kind::kString || field.value.kind() != model::Kind::kString) continue;
    if (type.AsString() != "Edm.Int32" && type.AsString() != "Edm.Double" &&
        type.AsString() != "Edm.Boolean")
      continue;
    auto typed = model::ValueFromJson(field.value.AsString());
    if (!typed.has_value() || typed->kind() == model::Kind::kString) {
      return Fail(Code::kInvalidArgument,
                  fmt::format("'{}' is no {}, which '{}' is said to be", field.value.AsString(),
                              type.AsString(), field.name));
    }
    field.value = *std::move(typed);
  }
  return model::ToJson(model::Value::Object(std::move(fields)));
}

Status PutEntity(TableClient& client, const SeedFile& file, const ItemText& item) {
  ORRERY_ASSIGN(const model::Document entity, model::ParseJson(item.json));
  const model::Value partition_key = entity.view().Get("PartitionKey");
  const model::Value row_key = entity.view().Get("RowKey");
  if (partition_key.kind() != model::Kind::kString || row_key.kind() != model::Kind::kString)
    return Fail(Code::kInvalidArgument, "an entity needs a PartitionKey and a RowKey, both text");
  if (!file.shown.ends_with(".csv"))
    return client.Put(file.container, partition_key.AsString(), row_key.AsString(), item.json);
  ORRERY_ASSIGN(const std::string json, TypedEntity(entity));
  return client.Put(file.container, partition_key.AsString(), row_key.AsString(), json);
}

// Columns such as "age@type" (Azure Storage Explorer's) are the types of others:
// "age@odata.type" in JSON.
std::string WithTypes(std::string json) {
  constexpr std::string_view kShort = "@type\":";
  for (size_t at = json.find(kShort); at != std::string::npos; at = json.find(kShort, at + 1))
    json.replace(at, kShort.size(), "@odata.type\":");
  return json;
}

}  // namespace

void RunGremlinFile(const SeedFile& file, const SeedEndpoints& endpoints, SeedReport& report) {
  const auto text = ReadSeedFile(file);
  if (!text.has_value()) return report.Add(file.shown, 0, text.error().message());
  const auto statements = SplitGremlin(*text);
  if (!statements.has_value()) {
    std::string message = statements.error().message();
    const size_t line = TakeLine(message);
    return report.Add(file.shown, line, message);
  }
  if (!endpoints.gremlin_url.has_value())
    return report.Add(file.shown, 0, "the server has no Gremlin port (--gremlin-port)");
  auto client =
      GraphClient::Create(*endpoints.gremlin_url, file.database, file.container, endpoints.sql.key);
  if (!client.has_value()) return report.Add(file.shown, 0, client.error().message());
  uint64_t count = 0;
  for (const SourcedStatement& statement : *statements) {
    if (!report.goes_on()) return;
    const Status done = client->Run(statement.text);
    if (done.has_value()) {
      ++count;
    } else {
      report.Add(file.shown, statement.line, done.error().message());
    }
  }
  if (report.goes_on()) report.Done(file.shown, count, "traversals");
}

void LoadEntities(const SeedFile& file, const SeedEndpoints& endpoints, SeedReport& report) {
  const auto text = ReadSeedFile(file);
  if (!text.has_value()) return report.Add(file.shown, 0, text.error().message());
  if (!endpoints.table_url.has_value())
    return report.Add(file.shown, 0, "the server has no port for tables (--table-port)");
  const bool is_csv = file.shown.ends_with(".csv");
  std::atomic<uint64_t> written{0};
  {
    BatchWorkers<EntityBatch> workers(kEntityConnections, [&] {
      auto made = TableClient::Create(*endpoints.table_url, endpoints.sql.key);
      if (!made.has_value()) report.Add(file.shown, 0, made.error().message());
      const auto client = std::make_shared<Result<TableClient>>(std::move(made));
      return BatchWorkers<EntityBatch>::Work([&, client](const EntityBatch& batch) {
        for (const ItemText& item : batch) {
          if (!client->has_value() || !report.goes_on()) return;
          const Status done = PutEntity(**client, file, item);
          if (done.has_value()) {
            written.fetch_add(1, std::memory_order_relaxed);
          } else {
            report.Add(file.shown, item.line, done.error().message());
          }
        }
      });
    });
    ItemFile items(file.shown, *text, CsvTypes::kText);
    EntityBatch batch;
    while (report.goes_on()) {
      auto next = items.Next();
      if (!next.has_value()) {
        std::string message = next.error().message();
        const size_t line = TakeLine(message);
        report.Add(file.shown, line, message);
        if (!is_csv) break;
        continue;
      }
      if (!next->has_value()) break;
      if (is_csv) (*next)->json = WithTypes(std::move((*next)->json));
      batch.push_back(std::move(**next));
      if (batch.size() == kEntitiesPerBatch) workers.Add(std::exchange(batch, {}));
    }
    if (!batch.empty()) workers.Add(std::move(batch));
  }
  if (report.goes_on()) report.Done(file.shown, written.load(), "entities");
}

}  // namespace orrery::cli
