#include "crash/admin_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>

#include "crash/documents.h"
#include "model/document/json.h"
#include "net/http/url.h"

namespace orrery::crash {
namespace {

// The emulators' well-known key, which every client of them has built in.
constexpr std::string_view kBearer =
    "Bearer "
    "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==";
constexpr int kPageItems = 60;  // several pages of each container

std::string ContainerPath(std::string_view container) {
  return fmt::format("/_admin/v1/databases/{}/containers/{}", kDatabase, container);
}

std::string ItemPath(std::string_view container, const Key& key) {
  return fmt::format("{}/items/{}?partitionKey=%22{}%22", ContainerPath(container), key.id,
                     key.partition);
}

std::string TextOf(model::DocumentView document, std::string_view name) {
  const auto field = document.Find(name);
  return field && field->kind() == model::Kind::kString ? std::string(field->AsString())
                                                        : std::string();
}

uint64_t NumberOf(model::DocumentView document, std::string_view name) {
  const auto field = document.Find(name);
  if (!field || (field->kind() != model::Kind::kInt32 && field->kind() != model::Kind::kInt64))
    return 0;
  return static_cast<uint64_t>(field->AsInteger());
}

bool FlagOf(model::DocumentView document, std::string_view name) {
  const auto field = document.Find(name);
  return field && field->kind() == model::Kind::kBool && field->AsBool();
}

// Objects in an array field.
std::vector<model::DocumentView> ObjectsOf(model::DocumentView document, std::string_view name) {
  std::vector<model::DocumentView> objects;
  const auto field = document.Find(name);
  if (!field || field->kind() != model::Kind::kArray) return objects;
  for (const model::ElementView element : field->AsDocument()) {
    if (element.kind() == model::Kind::kObject) objects.push_back(element.AsDocument());
  }
  return objects;
}

uint64_t DigitsIn(std::string_view text, size_t at) {
  uint64_t number = 0;
  std::from_chars(text.data() + std::min(at, text.size()), text.data() + text.size(), number);
  return number;
}

uint64_t EtagLsn(std::string_view etag) { return DigitsIn(etag, 1); }

// "7:-1#123": the position in the history of partition 7.
uint64_t SessionLsn(std::string_view token) { return DigitsIn(token, token.rfind('#') + 1); }

std::string_view KindText(WriteKind kind) {
  switch (kind) {
    case WriteKind::kCreate:
      return "create";
    case WriteKind::kUpsert:
      return "upsert";
    case WriteKind::kReplace:
      return "replace";
    case WriteKind::kPatch:
      return "patch";
    case WriteKind::kDelete:
      return "delete";
  }
  return "";
}

std::string BatchJson(const Transaction& transaction) {
  std::string operations;
  for (const crash::Write& write : transaction.writes) {
    if (!operations.empty()) operations += ',';
    operations += fmt::format(R"({{"kind":"{}")", KindText(write.kind));
    if (write.kind == WriteKind::kPatch) {
      operations += fmt::format(R"(,"id":"{}","patch":{})", write.key.id, PatchJson(write.token));
    } else if (write.kind == WriteKind::kDelete) {
      operations += fmt::format(R"(,"id":"{}")", write.key.id);
    } else {
      operations +=
          fmt::format(R"(,"document":{})", DocumentJson(write.key, write.token, write.ttl_s));
    }
    operations += '}';
  }
  return fmt::format(R"({{"partitionKey":"{}","operations":[{}]}})",
                     transaction.writes[0].key.partition, operations);
}

Error ErrorOf(const net::HttpResponse& response) {
  const auto body = model::ParseJson(response.body);
  const std::string code = body.has_value() ? TextOf(*body, "code") : "";
  for (int i = 0; i <= static_cast<int>(Code::kInternal); ++i) {
    if (code == CodeName(static_cast<Code>(i)))
      return {static_cast<Code>(i), TextOf(*body, "message")};
  }
  return {Code::kInternal, fmt::format("status {}: {}", response.status, response.body)};
}

// Codes that leave open whether a write happened.
bool IsOutcomeUnknown(Code code) {
  return code == Code::kUnavailable || code == Code::kInternal || code == Code::kCorruption ||
         code == Code::kResourceExhausted || code == Code::kFenced;
}

Result<Change> ChangeFrom(model::DocumentView entry) {
  Change change{.kind = Change::Kind::kCreate,
                .key = {},
                .lsn = EtagLsn(TextOf(entry, "etag")),
                .previous_lsn = EtagLsn(TextOf(entry, "previousEtag")),
                .value = std::nullopt};
  const auto only = [&](std::string_view name) {
    const auto values = entry.Find(name);
    return values && values->kind() == model::Kind::kArray ? TextOf(values->AsDocument(), "0")
                                                           : std::string();
  };
  change.key = {only("partitionKey"), only("id")};
  const std::string kind = TextOf(entry, "kind");
  if (kind == "delete" || kind == "expire") {
    change.kind = kind == "delete" ? Change::Kind::kDelete : Change::Kind::kExpire;
    return change;
  }
  change.kind = kind == "create" ? Change::Kind::kCreate : Change::Kind::kReplace;
  const auto document = entry.Find("document");
  if (!document || document->kind() != model::Kind::kObject) {
    return Fail(Code::kCorruption,
                fmt::format("{}: the feed tells a {} without a document", Name(change.key), kind));
  }
  ORRERY_ASSIGN(const ParsedDocument parsed, ParseDocument(document->AsDocument()));
  if (parsed.key != change.key) {
    return Fail(Code::kCorruption, fmt::format("{}: the feed tells it with the document of {}",
                                               Name(change.key), Name(parsed.key)));
  }
  change.value = parsed.value;
  return change;
}

Status AddScanned(model::DocumentView scanned, State& state) {
  const auto document = scanned.Find("document");
  if (!document || document->kind() != model::Kind::kObject)
    return Fail(Code::kCorruption, "no document in a scan");
  ORRERY_ASSIGN(const ParsedDocument parsed, ParseDocument(document->AsDocument()));
  Stored stored{EtagLsn(TextOf(scanned, "etag")), parsed.value, std::nullopt};
  if (parsed.ttl_s)
    stored.expires_us = NumberOf(scanned, "timeMicros") + *parsed.ttl_s * uint64_t{1'000'000};
  if (!state.emplace(parsed.key, std::move(stored)).second) {
    return Fail(Code::kCorruption, fmt::format("{} comes twice in a scan", Name(parsed.key)));
  }
  return {};
}

}  // namespace

uint64_t NowMicros() {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(
                                   std::chrono::system_clock::now().time_since_epoch())
                                   .count());
}

AdminClient::AdminClient(uint16_t port) : http_({.port = port}) {}

Result<net::HttpResponse> AdminClient::Send(std::string_view method, std::string_view target,
                                            std::string body, std::optional<uint64_t> if_match) {
  net::HttpHeaders headers{{"Authorization", kBearer}};
  if (if_match) headers.Add("If-Match", fmt::format("\"{}\"", *if_match));
  return http_.Send(method, target, headers, std::move(body));
}

Result<model::Document> AdminClient::Call(std::string_view method, std::string_view target,
                                          std::string body) {
  ORRERY_ASSIGN(const net::HttpResponse response, Send(method, target, std::move(body)));
  if (response.status >= 300) return Fail(ErrorOf(response));
  if (response.body.empty()) return model::Document();
  return model::ParseJson(response.body);
}

Status AdminClient::CreateDatabase() {
  ORRERY_TRY(Call("POST", "/_admin/v1/databases", fmt::format(R"({{"id":"{}"}})", kDatabase)));
  return {};
}

Status AdminClient::CreateContainer(const std::string& settings) {
  ORRERY_TRY(Call("POST", fmt::format("/_admin/v1/databases/{}/containers", kDatabase), settings));
  return {};
}

Status AdminClient::DropContainer(std::string_view name) {
  ORRERY_TRY(Call("DELETE", ContainerPath(name)));
  return {};
}

Result<std::vector<std::string>> AdminClient::ListContainers() {
  ORRERY_ASSIGN(const auto answer,
                Call("GET", fmt::format("/_admin/v1/databases/{}/containers", kDatabase)));
  std::vector<std::string> names;
  for (const model::DocumentView container : ObjectsOf(answer, "containers"))
    names.push_back(TextOf(container, "id"));
  return names;
}

Status AdminClient::SetThroughput(std::string_view container, int64_t request_units_per_second) {
  ORRERY_TRY(Call("PUT", ContainerPath(container) + "/throughput",
                  fmt::format(R"({{"manual":{}}})", request_units_per_second)));
  return {};
}

Result<int64_t> AdminClient::GetThroughput(std::string_view container) {
  ORRERY_ASSIGN(const auto answer, Call("GET", ContainerPath(container) + "/throughput"));
  const auto throughput = answer.view().Find("throughput");
  if (!throughput || throughput->kind() != model::Kind::kObject) return 0;
  return static_cast<int64_t>(NumberOf(throughput->AsDocument(), "manual"));
}

Result<net::HttpResponse> AdminClient::SendWrite(std::string_view container,
                                                 const Transaction& transaction) {
  if (transaction.writes.size() > 1)
    return Send("POST", ContainerPath(container) + "/batch", BatchJson(transaction));
  const crash::Write& write = transaction.writes.front();
  const std::string item = ItemPath(container, write.key);
  switch (write.kind) {
    case WriteKind::kCreate:
      return Send("POST", ContainerPath(container) + "/items",
                  DocumentJson(write.key, write.token, write.ttl_s));
    case WriteKind::kUpsert:
      return Send("POST", ContainerPath(container) + "/items?upsert=true",
                  DocumentJson(write.key, write.token, write.ttl_s));
    case WriteKind::kReplace:
      return Send("PUT", item, DocumentJson(write.key, write.token, write.ttl_s), write.if_match);
    case WriteKind::kPatch:
      return Send("PATCH", item, fmt::format(R"({{"operations":{}}})", PatchJson(write.token)),
                  write.if_match);
    case WriteKind::kDelete:
      return Send("DELETE", item, {}, write.if_match);
  }
  return Fail(Code::kInternal, "no such write");
}

bool AdminClient::Write(std::string_view container, Transaction& transaction) {
  const auto response = SendWrite(container, transaction);
  if (!response.has_value()) return false;
  transaction.ended_us = NowMicros();
  if (response->status < 300) {
    transaction.outcome = Outcome::kAcknowledged;
    transaction.lsn = SessionLsn(response->headers.Find("x-ms-session-token").value_or(""));
  } else if (!IsOutcomeUnknown(ErrorOf(*response).code())) {
    transaction.outcome = Outcome::kRefused;
  }
  return true;
}

Status AdminClient::Read(std::string_view container, crash::Read& read) {
  ORRERY_ASSIGN(const net::HttpResponse response, Send("GET", ItemPath(container, read.key), {}));
  read.ended_us = NowMicros();
  if (response.status == 404) return {};
  if (response.status != 200) return Fail(ErrorOf(response));
  ORRERY_ASSIGN(const model::Document document, model::ParseJson(response.body));
  ORRERY_ASSIGN(const ParsedDocument parsed, ParseDocument(document));
  read.found =
      Stored{EtagLsn(response.headers.Find("etag").value_or("")), parsed.value, std::nullopt};
  return {};
}

Result<State> AdminClient::Scan(std::string_view container, std::string_view question) {
  State state;
  std::string continuation;
  do {
    std::string body = fmt::format(R"({{"maxItems":{})", kPageItems);
    if (!question.empty()) body += fmt::format(",{}", question);
    if (!continuation.empty()) body += fmt::format(R"(,"continuation":"{}")", continuation);
    ORRERY_ASSIGN(const auto page, Call("POST", ContainerPath(container) + "/scan", body + "}"));
    for (const model::DocumentView scanned : ObjectsOf(page, "items"))
      ORRERY_TRY(AddScanned(scanned, state));
    continuation = TextOf(page, "continuation");
  } while (!continuation.empty());
  return state;
}

Result<AdminClient::FeedRead> AdminClient::ReadFeed(std::string_view container,
                                                    std::string_view mode,
                                                    const std::string& continuation) {
  FeedRead read{.changes = {}, .continuation = continuation};
  for (bool drained = false; !drained;) {
    std::string body = fmt::format(R"({{"mode":"{}","maxItems":{})", mode, kPageItems);
    if (!read.continuation.empty())
      body += fmt::format(R"(,"continuation":"{}")", read.continuation);
    ORRERY_ASSIGN(const auto page, Call("POST", ContainerPath(container) + "/feed", body + "}"));
    for (const model::DocumentView entry : ObjectsOf(page, "changes")) {
      ORRERY_ASSIGN(Change change, ChangeFrom(entry));
      read.changes.push_back(std::move(change));
    }
    read.continuation = TextOf(page, "continuation");
    drained = FlagOf(page, "drained");
  }
  return read;
}

Result<std::vector<RangeRow>> AdminClient::Ranges(std::string_view container) {
  ORRERY_ASSIGN(const auto answer,
                Call("GET", fmt::format("/_admin/v1/partitions?database={}&container={}", kDatabase,
                                        container)));
  std::vector<RangeRow> rows;
  for (const model::DocumentView partition : ObjectsOf(answer, "partitions")) {
    for (const model::DocumentView range : ObjectsOf(partition, "ranges")) {
      if (TextOf(range, "container") != container || TextOf(range, "database") != kDatabase)
        continue;
      rows.push_back({NumberOf(partition, "id"), TextOf(range, "begin"), TextOf(range, "last"),
                      NumberOf(range, "items"), NumberOf(partition, "lastLsn")});
    }
  }
  std::ranges::sort(rows, {}, &RangeRow::begin);
  return rows;
}

Status AdminClient::Split(uint64_t partition) {
  ORRERY_TRY(Call("POST", fmt::format("/_admin/v1/partitions/{}/split", partition)));
  return {};
}

Status AdminClient::Merge(uint64_t left, uint64_t right) {
  ORRERY_TRY(Call("POST", "/_admin/v1/partitions/merge",
                  fmt::format(R"({{"left":{},"right":{}}})", left, right)));
  return {};
}

}  // namespace orrery::crash
