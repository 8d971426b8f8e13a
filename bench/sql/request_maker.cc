#include "sql/request_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "gateway/account/base64.h"
#include "gateway/account/hmac.h"
#include "net/http/http_date.h"
#include "net/http/url.h"
#include "sql/document_maker.h"

namespace orrery::bench {
namespace {

std::string LowerCase(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return text;
}

std::string_view FieldsOf(RequestMaker::Post kind) {
  switch (kind) {
    case RequestMaker::Post::kDocument:
      return "Content-Type: application/json\r\n";
    case RequestMaker::Post::kUpsert:
      return "Content-Type: application/json\r\nx-ms-documentdb-is-upsert: True\r\n";
    case RequestMaker::Post::kBatch:
      return "Content-Type: application/json\r\nx-ms-cosmos-is-batch-request: True\r\n"
             "x-ms-cosmos-batch-atomic: True\r\nPrefer: return=minimal\r\n";
    case RequestMaker::Post::kQuery:
      return "Content-Type: application/query+json\r\nx-ms-documentdb-isquery: True\r\n"
             "x-ms-documentdb-query-enablecrosspartition: True\r\n";
  }
  return "";
}

}  // namespace

RequestMaker::RequestMaker(const SqlOptions& options, std::string secret, Micros now)
    : secret_(std::move(secret)),
      date_(net::FormatHttpDate(now)),
      host_(fmt::format("{}:{}", options.address.host, options.address.port)),
      container_link_(fmt::format("dbs/{}/colls/{}", options.database, options.container)) {
  post_head_ = fmt::format(
      "POST /{}/docs HTTP/1.1\r\nHost: {}\r\nx-ms-date: {}\r\nx-ms-version: {}\r\nauthorization: "
      "{}\r\n",
      container_link_, host_, date_, kVersion, SignatureOf("post", "docs", container_link_));
}

Result<RequestMaker> RequestMaker::Create(const SqlOptions& options, uint64_t reads, Micros now) {
  std::string secret;
  if (!gateway::FromBase64(options.key, secret)) {
    return Fail(Code::kInvalidArgument, "--key: is not base64");
  }
  RequestMaker maker(options, std::move(secret), now);
  maker.read_signatures_.reserve(reads);
  for (uint64_t number = 0; number < reads; ++number) {
    const std::string link =
        fmt::format("{}/docs/{}", maker.container_link_, DocumentMaker::IdOf(number));
    maker.read_signatures_.push_back(maker.SignatureOf("get", "docs", link));
  }
  return maker;
}

std::string RequestMaker::SignatureOf(std::string_view verb, std::string_view type,
                                      std::string_view link) const {
  const std::string text = fmt::format("{}\n{}\n{}\n{}\n\n", verb, type, link, LowerCase(date_));
  const std::string signature = gateway::ToBase64(gateway::HmacSha256(secret_, text));
  return net::PercentEncode(fmt::format("type=master&ver=1.0&sig={}", signature));
}

void RequestMaker::AppendRead(uint64_t number, std::string& out) const {
  fmt::format_to(std::back_inserter(out),
                 "GET /{}/docs/{} HTTP/1.1\r\nHost: {}\r\nx-ms-date: {}\r\nx-ms-version: {}\r\n"
                 "authorization: {}\r\nx-ms-documentdb-partitionkey: [\"{}\"]\r\n\r\n",
                 container_link_, DocumentMaker::IdOf(number), host_, date_, kVersion,
                 read_signatures_[number], DocumentMaker::PartitionKeyOf(number));
}

void RequestMaker::AppendPost(Post kind, std::string_view partition_key, std::string_view body,
                              uint64_t items_max, std::string& out) const {
  out += post_head_;
  out += FieldsOf(kind);
  if (!partition_key.empty()) {
    fmt::format_to(std::back_inserter(out), "x-ms-documentdb-partitionkey: [\"{}\"]\r\n",
                   partition_key);
  }
  if (items_max > 0) {
    fmt::format_to(std::back_inserter(out), "x-ms-max-item-count: {}\r\n", items_max);
  }
  fmt::format_to(std::back_inserter(out), "Content-Length: {}\r\n\r\n{}", body.size(), body);
}

}  // namespace orrery::bench
