#include "api/table/executor/batch_reply.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "api/table/executor/error_text.h"
#include "net/http/http_message.h"

namespace orrery::table {
namespace {

// About what a part has beside its own texts.
constexpr size_t kPartBytes = 400;
constexpr std::string_view kJson =
    "application/json;odata=minimalmetadata;streaming=true;charset=utf-8";

void AppendHeader(std::string& out, std::string_view name, std::string_view value) {
  if (!value.empty()) out.append(name).append(": ").append(value).append("\r\n");
}

void AppendPart(std::string& out, std::string_view boundary, const Reply& reply) {
  out.append("--").append(boundary).append(
      "\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nHTTP/1.1 ");
  fmt::format_to(std::back_inserter(out), "{} {}", reply.status, net::ReasonPhrase(reply.status));
  out += "\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-cache\r\n";
  AppendHeader(out, "Preference-Applied", PreferenceText(reply.applied));
  AppendHeader(out, "DataServiceVersion", "3.0;");
  if (!reply.body.empty()) AppendHeader(out, "Content-Type", kJson);
  AppendHeader(out, "Location", reply.location);
  if (!reply.location.empty() && reply.applied == Preference::kNoContent)
    AppendHeader(out, "DataServiceId", reply.location);
  AppendHeader(out, "ETag", reply.etag);
  for (const auto& [name, value] : reply.headers) AppendHeader(out, name, value);
  out += "\r\n";
  out += reply.body;
  out += "\r\n";
}

}  // namespace

Reply BatchReply(const std::vector<Reply>& parts, bool are_changes, const BatchFacts& facts) {
  const std::string outer = fmt::format("batchresponse_{}", facts.request_id);
  const std::string inner = fmt::format("changesetresponse_{}", facts.request_id);
  Reply reply{.status = 202, .content_type = fmt::format("multipart/mixed; boundary={}", outer)};
  std::string& out = reply.body;
  size_t bytes = 0;
  for (const Reply& part : parts)
    bytes += kPartBytes + part.etag.size() + 2 * part.location.size() + part.body.size();
  out.reserve(bytes);
  if (are_changes && !parts.empty()) {
    out += fmt::format("--{}\r\nContent-Type: multipart/mixed; boundary={}\r\n\r\n", outer, inner);
    for (const Reply& part : parts) AppendPart(out, inner, part);
    out += fmt::format("--{}--\r\n", inner);
  } else {
    for (const Reply& part : parts) AppendPart(out, outer, part);
  }
  out += fmt::format("--{}--\r\n", outer);
  return reply;
}

Reply FailedBatchReply(const ErrorResponse& error, size_t operation, bool are_changes,
                       const BatchFacts& facts) {
  const std::string text =
      ErrorText(fmt::format("{}:{}", operation, error.message), facts.request_id, facts.now);
  Reply part{.status = error.status(), .body = ErrorJson(error.code, text)};
  part.headers.emplace_back("x-ms-error-code", FactsOf(error.code).name);
  Reply reply = BatchReply({std::move(part)}, are_changes, facts);
  reply.charge = error.charge;
  return reply;
}

}  // namespace orrery::table
