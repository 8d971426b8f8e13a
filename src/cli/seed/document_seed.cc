#include "cli/seed/document_seed.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/murmur3.h"
#include "cli/seed/batch_workers.h"
#include "cli/seed/item_file.h"
#include "model/document/json.h"

namespace orrery::cli {
namespace {

constexpr size_t kDocumentConnections = 3;
constexpr size_t kDocumentsPerBatch = 100;  // the service's limit
constexpr size_t kDocumentBatchBytes = size_t{1} << 20;
constexpr int kThrottledRoundsMax = 10'000;
constexpr std::chrono::milliseconds kThrottledDelay{10};

struct DocumentBatch {
  std::vector<ItemText> items;
  size_t bytes = 0;
};

std::string BodyOf(const std::vector<ItemText>& items) {
  std::string body = "[";
  for (const ItemText& item : items) {
    if (body.size() > 1) body += ',';
    body += R"({"operationType":"Upsert","resourceBody":)";
    body += item.json;
    body += '}';
  }
  return body + "]";
}

// Sends one batch until none of it is throttled any more.
void SendDocuments(SqlClient& client, const SeedFile& file, std::vector<ItemText> items,
                   std::atomic<uint64_t>& written, SeedReport& report) {
  for (int round = 0; !items.empty() && report.goes_on(); ++round) {
    auto response = client.Send("POST", {"dbs", file.database, "colls", file.container, "docs"},
                                {{"x-ms-cosmos-is-batch-request", "true"},
                                 {"x-ms-cosmos-batch-atomic", "false"},
                                 {"x-ms-cosmos-batch-continue-on-error", "true"},
                                 {"prefer", "return=minimal"},
                                 {"content-type", "application/json"}},
                                BodyOf(items));
    const size_t first = items.front().line;
    if (!response.has_value()) return report.Add(file.shown, first, response.error().message());
    if (response->status != 200 && response->status != 207) {
      const Error error = ErrorOfSql(*response);
      return report.Add(file.shown, error.code() == Code::kNotFound ? 0 : first,
                        error.code() == Code::kNotFound
                            ? fmt::format("there is no container {}/{}; describe it in "
                                          "containers.yaml",
                                          file.database, file.container)
                            : error.message());
    }
    auto answers = model::ValueFromJson(response->body);
    if (!answers.has_value() || answers->kind() != model::Kind::kArray ||
        answers->AsValues().size() != items.size())
      return report.Add(file.shown, first, "the server answers, but not as the SQL API does");
    std::vector<ItemText> again;
    for (size_t i = 0; i < items.size(); ++i) {
      const model::Value& answer = answers->AsValues()[i];
      const model::Value* status = answer.Find("statusCode");
      const int64_t code =
          status != nullptr && status->kind() == model::Kind::kInt32 ? status->AsInteger() : 0;
      if (code >= 200 && code < 300) {
        written.fetch_add(1, std::memory_order_relaxed);
      } else if ((code == 429 || code == 449) && round < kThrottledRoundsMax) {
        again.push_back(std::move(items[i]));
      } else {
        const model::Value* message = answer.Find("message");
        report.Add(file.shown, items[i].line,
                   message != nullptr && message->kind() == model::Kind::kString
                       ? fmt::format("{} ({})", message->AsString(), code)
                       : fmt::format("refused with status {}", code));
      }
    }
    items = std::move(again);
    if (!items.empty()) std::this_thread::sleep_for(kThrottledDelay);
  }
}

}  // namespace

Status CompleteDocument(const SeedFile& file, size_t place, ItemText& item) {
  ORRERY_ASSIGN(const model::Document document, model::ParseJson(item.json));
  if (document.view().Find("id").has_value()) return {};
  const Hash128 hash = Murmur3(fmt::format("{}:{}", file.shown, place));
  const size_t brace = item.json.find('{');
  item.json.insert(brace + 1, fmt::format(R"("id":"{:016x}{:016x}"{})", hash.high, hash.low,
                                          document.view().empty() ? "" : ","));
  return {};
}

void LoadDocuments(const SeedFile& file, const SeedEndpoints& endpoints, SeedReport& report) {
  const auto text = ReadSeedFile(file);
  if (!text.has_value()) return report.Add(file.shown, 0, text.error().message());
  std::atomic<uint64_t> written{0};
  {
    BatchWorkers<DocumentBatch> workers(kDocumentConnections, [&] {
      auto made = SqlClient::Create(endpoints.sql);
      if (!made.has_value()) report.Add(file.shown, 0, made.error().message());
      const auto client = std::make_shared<Result<SqlClient>>(std::move(made));
      return BatchWorkers<DocumentBatch>::Work([&, client](DocumentBatch batch) {
        if (client->has_value())
          SendDocuments(**client, file, std::move(batch.items), written, report);
      });
    });
    ItemFile items(file.shown, *text, CsvTypes::kInferred);
    DocumentBatch batch;
    for (size_t place = 0; report.goes_on(); ++place) {
      auto next = items.Next();
      if (!next.has_value()) {
        std::string message = next.error().message();
        const size_t line = TakeLine(message);
        report.Add(file.shown, line, message);
        if (!file.shown.ends_with(".csv")) break;
        continue;
      }
      if (!next->has_value()) break;
      ItemText item = std::move(**next);
      if (const Status status = CompleteDocument(file, place, item); !status.has_value()) {
        report.Add(file.shown, item.line, status.error().message());
        continue;
      }
      const bool is_full =
          batch.items.size() == kDocumentsPerBatch ||
          (!batch.items.empty() && batch.bytes + item.json.size() > kDocumentBatchBytes);
      if (is_full) workers.Add(std::exchange(batch, {}));
      batch.bytes += item.json.size();
      batch.items.push_back(std::move(item));
    }
    if (!batch.items.empty()) workers.Add(std::move(batch));
  }
  if (report.goes_on()) report.Done(file.shown, written.load(), "documents");
}

}  // namespace orrery::cli
