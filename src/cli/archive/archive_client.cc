#include "cli/archive/archive_client.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>
#include <utility>

#include "base/bytes.h"
#include "model/document/document_builder.h"
#include "model/document/json.h"
#include "net/http/url.h"

namespace orrery::cli {
namespace {

constexpr int kAttemptsMax = 60;
constexpr std::chrono::milliseconds kPause{1'000};
// While throughput is the limit; as often as the clients of the APIs do.
constexpr std::chrono::milliseconds kThrottledPause{100};

constexpr std::string_view kBytes = "application/octet-stream";
constexpr std::string_view kJson = "application/json";

bool MayPass(Code code) {
  return code == Code::kThrottled || code == Code::kOverloaded || code == Code::kUnavailable ||
         code == Code::kMoved;
}

std::string PathOf(const gateway::ArchivedContainer& container, std::string_view call) {
  return fmt::format("databases/{}/containers/{}/archive/{}",
                     net::PercentEncode(container.database),
                     net::PercentEncode(container.settings.name), call);
}

std::string Question(std::string_view continuation) {
  model::DocumentBuilder body;
  body.AppendString("continuation", continuation);
  return model::ToJson(std::move(body).Finish());
}

std::unexpected<Error> NotUnderstood(const std::string& url) {
  return Fail(Code::kInternal,
              fmt::format("{} answers in a way that this version does not understand", url));
}

uint64_t Count(model::DocumentView answer, std::string_view name) {
  const auto field = answer.Find(name);
  const bool whole = field.has_value() &&
                     (field->kind() == model::Kind::kInt32 || field->kind() == model::Kind::kInt64);
  return whole ? static_cast<uint64_t>(field->AsInteger()) : 0;
}

std::string Text(model::DocumentView answer, std::string_view name) {
  const auto field = answer.Find(name);
  const bool text = field.has_value() && field->kind() == model::Kind::kString;
  return text ? std::string(field->AsString()) : std::string();
}

bool IsTrue(model::DocumentView answer, std::string_view name) {
  const auto field = answer.Find(name);
  return field.has_value() && field->kind() == model::Kind::kBool && field->AsBool();
}

}  // namespace

Result<std::string> ArchiveClient::Exchange(std::string_view method, std::string_view path,
                                            std::string_view content_type,
                                            const std::string& body) {
  for (int attempt = 1;; ++attempt) {
    auto answer = client_.Exchange(method, path, content_type, body);
    if (answer.has_value() || !MayPass(answer.error().code()) || attempt == kAttemptsMax)
      return answer;
    std::this_thread::sleep_for(answer.error().code() == Code::kThrottled ? kThrottledPause
                                                                          : kPause);
  }
}

Result<model::Document> ArchiveClient::Ask(std::string_view path, std::string_view content_type,
                                           const std::string& body) {
  ORRERY_ASSIGN(const std::string answer, Exchange("POST", path, content_type, body));
  auto document = model::ParseJson(answer);
  if (!document.has_value()) return NotUnderstood(url());
  return document;
}

Result<gateway::ArchivedCatalog> ArchiveClient::ReadCatalog() {
  ORRERY_ASSIGN(std::string answer, client_.Exchange("GET", "archive/catalog", kBytes, ""));
  const auto document = model::Document::FromBson(std::move(answer));
  if (!document.has_value()) return NotUnderstood(url());
  return gateway::ArchivedCatalogFrom(*document);
}

Result<bool> ArchiveClient::Restore(const gateway::ArchivedDatabase& database) {
  ORRERY_ASSIGN(const auto answer,
                Ask("archive/databases", kBytes, gateway::ToDocument(database).bson()));
  return IsTrue(answer, "created");
}

Result<bool> ArchiveClient::Restore(const gateway::ArchivedContainer& container) {
  ORRERY_ASSIGN(const auto answer,
                Ask("archive/containers", kBytes, gateway::ToDocument(container).bson()));
  return IsTrue(answer, "created");
}

Result<ArchiveClient::Page> ArchiveClient::Read(const gateway::ArchivedContainer& container,
                                                std::string_view continuation) {
  ORRERY_ASSIGN(const std::string answer,
                Exchange("POST", PathOf(container, "read"), kJson, Question(continuation)));
  ByteReader reader(answer);
  std::string_view next;
  if (!reader.ReadLengthPrefixed(next)) return NotUnderstood(url());
  return Page{std::string(reader.rest()), std::string(next)};
}

Status ArchiveClient::Write(const gateway::ArchivedContainer& container, std::string batch) {
  for (;;) {
    ORRERY_ASSIGN(const auto answer, Ask(PathOf(container, "write"), kBytes, batch));
    if (!IsTrue(answer, "throttled")) return {};
    ORRERY_ASSIGN(gateway::ArchiveBatch left, gateway::DecodeBatch(batch));
    const uint64_t written = Count(answer, "written");
    if (written > gateway::SizeOf(left)) return NotUnderstood(url());
    gateway::DropFront(left, written);
    batch = gateway::EncodeBatch(left);
    std::this_thread::sleep_for(kThrottledPause);
  }
}

Result<ArchiveClient::DigestPage> ArchiveClient::Digest(const gateway::ArchivedContainer& container,
                                                        std::string_view continuation) {
  ORRERY_ASSIGN(const auto answer, Ask(PathOf(container, "digest"), kJson, Question(continuation)));
  DigestPage page;
  page.digest.items = Count(answer, "items");
  page.digest.mortal = Count(answer, "mortal");
  const auto sum = gateway::ParseDigestSum(Text(answer, "sum"));
  if (!sum.has_value()) return NotUnderstood(url());
  page.digest.sum = *sum;
  page.continuation = Text(answer, "continuation");
  return page;
}

}  // namespace orrery::cli
