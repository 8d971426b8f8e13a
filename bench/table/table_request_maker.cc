#include "table/table_request_maker.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "gateway/account/base64.h"
#include "gateway/account/hmac.h"
#include "net/http/http_date.h"
#include "net/http/url.h"

namespace orrery::bench {
namespace {

constexpr std::string_view kBatchBoundary = "batch_orrery_bench";
constexpr std::string_view kChangesetBoundary = "changeset_orrery_bench";

}  // namespace

TableRequestMaker::TableRequestMaker(const TableOptions& options, std::string secret, Micros now)
    : secret_(std::move(secret)),
      account_(options.account),
      account_path_("/" + options.account),
      table_(options.table),
      date_(net::FormatHttpDate(now)),
      host_(fmt::format("{}:{}", options.address.host, options.address.port)),
      insert_authorization_(AuthorizationOf("/" + table_)),
      query_authorization_(AuthorizationOf(fmt::format("/{}()", table_))),
      batch_authorization_(AuthorizationOf("/$batch")) {}

Result<TableRequestMaker> TableRequestMaker::Create(const TableOptions& options, uint64_t entities,
                                                    Micros now) {
  std::string secret;
  if (!gateway::FromBase64(options.key, secret)) {
    return Fail(Code::kInvalidArgument, "--key: is not base64");
  }
  TableRequestMaker maker(options, std::move(secret), now);
  maker.entity_authorizations_.reserve(entities);
  for (uint64_t number = 0; number < entities; ++number) {
    maker.entity_authorizations_.push_back(maker.AuthorizationOf(maker.EntityPath(number)));
  }
  return maker;
}

std::string TableRequestMaker::EntityPath(uint64_t number) const {
  return fmt::format("/{}(PartitionKey='{}',RowKey='{}')", table_,
                     EntityMaker::PartitionKeyOf(number), EntityMaker::RowKeyOf(number));
}

std::string TableRequestMaker::AuthorizationOf(std::string_view path) const {
  const std::string text = fmt::format("{}\n/{}{}{}", date_, account_, account_path_, path);
  return fmt::format("SharedKeyLite {}:{}", account_,
                     gateway::ToBase64(gateway::HmacSha256(secret_, text)));
}

void TableRequestMaker::AppendHead(std::string_view method, std::string_view target,
                                   std::string_view authorization, std::string& out) const {
  fmt::format_to(std::back_inserter(out),
                 "{} {}{} HTTP/1.1\r\nHost: {}\r\nx-ms-date: {}\r\nx-ms-version: {}\r\n"
                 "Accept: application/json;odata=minimalmetadata\r\nDataServiceVersion: 3.0\r\n"
                 "Authorization: {}\r\n",
                 method, account_path_, target, host_, date_, kServiceVersion, authorization);
}

void TableRequestMaker::AppendBody(std::string_view body, std::string& out) {
  fmt::format_to(std::back_inserter(out),
                 "Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{}", body.size(),
                 body);
}

void TableRequestMaker::AppendRead(uint64_t number, std::string& out) const {
  AppendHead("GET", EntityPath(number), entity_authorizations_[number], out);
  out += "\r\n";
}

void TableRequestMaker::AppendMerge(uint64_t number, std::string_view body,
                                    std::string& out) const {
  AppendHead("MERGE", EntityPath(number), entity_authorizations_[number], out);
  out += "If-Match: *\r\n";
  AppendBody(body, out);
}

void TableRequestMaker::AppendInsert(std::string_view body, std::string& out) const {
  AppendHead("POST", "/" + table_, insert_authorization_, out);
  out += "Prefer: return-no-content\r\n";
  AppendBody(body, out);
}

void TableRequestMaker::AppendBatch(uint64_t first, const EntityMaker& entities,
                                    std::string& out) const {
  std::string body = fmt::format("--{}\r\nContent-Type: multipart/mixed; boundary={}\r\n\r\n",
                                 kBatchBoundary, kChangesetBoundary);
  std::string entity;
  for (uint64_t number = first; number < first + EntityMaker::kOfOnePartition; ++number) {
    entity.clear();
    entities.AppendEntity(number, entity);
    fmt::format_to(std::back_inserter(body),
                   "--{}\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: "
                   "binary\r\n\r\nPUT http://{}{}{} HTTP/1.1\r\nContent-Type: application/json\r\n"
                   "Accept: application/json;odata=minimalmetadata\r\nDataServiceVersion: 3.0\r\n"
                   "\r\n\r\n{}\r\n",
                   kChangesetBoundary, host_, account_path_, EntityPath(number), entity);
  }
  fmt::format_to(std::back_inserter(body), "--{}--\r\n--{}--\r\n", kChangesetBoundary,
                 kBatchBoundary);
  AppendHead("POST", "/$batch", batch_authorization_, out);
  fmt::format_to(std::back_inserter(out),
                 "Content-Type: multipart/mixed; boundary={}\r\nContent-Length: {}\r\n\r\n{}",
                 kBatchBoundary, body.size(), body);
}

void TableRequestMaker::AppendQuery(std::string_view filter, uint64_t top, std::string& out) const {
  std::string target = fmt::format("/{}()", table_);
  char separator = '?';
  if (!filter.empty()) {
    target +=
        fmt::format("{}$filter={}", std::exchange(separator, '&'), net::PercentEncode(filter));
  }
  if (top > 0) target += fmt::format("{}$top={}", separator, top);
  AppendHead("GET", target, query_authorization_, out);
  out += "\r\n";
}

}  // namespace orrery::bench
