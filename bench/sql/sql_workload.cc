#include "sql/sql_workload.h"

#include <fmt/format.h>

#include <iterator>
#include <string_view>
#include <utility>

#include "base/check.h"

namespace orrery::bench {
namespace {

constexpr std::string_view kByShelf =
    R"({{"query":"SELECT * FROM c WHERE c.shelf = @shelf","parameters":[{{"name":"@shelf","value":{}}}]}})";
constexpr std::string_view kTop =
    R"({{"query":"SELECT * FROM c ORDER BY c.number DESC OFFSET 0 LIMIT {}","parameters":[]}})";
constexpr std::string_view kScan =
    R"({"query":"SELECT * FROM c WHERE c.number % 2 = 0","parameters":[]})";

bool HasCount(std::string_view body, uint64_t count) {
  return body.find(fmt::format(R"("_count":{})", count)) != std::string_view::npos;
}

}  // namespace

SqlWorkload::SqlWorkload(SqlWorkloadKind kind, KeyChooser keys, const RequestMaker& requests,
                         const DocumentMaker& documents)
    : kind_(kind), keys_(std::move(keys)), requests_(requests), documents_(documents) {
  ORRERY_CHECK(kind != SqlWorkloadKind::kNone);
}

SqlWorkload SqlWorkload::Loading(uint64_t batch, KeyChooser batches, const RequestMaker& requests,
                                 const DocumentMaker& documents) {
  SqlWorkload workload(SqlWorkloadKind::kCreate, std::move(batches), requests, documents);
  workload.batch_ = batch;
  return workload;
}

OperationKind SqlWorkload::Next(std::string& out) {
  const uint64_t number = keys_.Next();
  if (batch_ > 0) {
    MakeLoad(number, out);
    return OperationKind::kInsert;
  }
  switch (kind_) {
    case SqlWorkloadKind::kRead:
      requests_.AppendRead(number, out);
      return OperationKind::kRead;
    case SqlWorkloadKind::kCreate:
      body_.clear();
      documents_.AppendDocument(number, body_);
      requests_.AppendPost(RequestMaker::Post::kDocument, DocumentMaker::PartitionKeyOf(number),
                           body_, 0, out);
      return OperationKind::kInsert;
    default:
      MakeQuery(number, out);
      return OperationKind::kQuery;
  }
}

void SqlWorkload::MakeQuery(uint64_t number, std::string& out) {
  const auto post = [&](std::string_view partition_key, uint64_t items_max) {
    requests_.AppendPost(RequestMaker::Post::kQuery, partition_key, body_, items_max, out);
  };
  const uint64_t shelf = DocumentMaker::ShelfOf(number);
  body_.clear();
  switch (kind_) {
    case SqlWorkloadKind::kQuery:
      fmt::format_to(std::back_inserter(body_), kByShelf, shelf);
      return post(DocumentMaker::PartitionKeyOf(number), 0);
    case SqlWorkloadKind::kFind:
      fmt::format_to(std::back_inserter(body_), kByShelf, shelf);
      return post({}, 0);
    case SqlWorkloadKind::kTop:
      fmt::format_to(std::back_inserter(body_), kTop, kTopDocuments);
      return post({}, 0);
    default:
      body_ = kScan;
      return post({}, kScanDocuments);
  }
}

void SqlWorkload::MakeLoad(uint64_t batch, std::string& out) {
  const uint64_t first = batch * batch_;
  body_.clear();
  if (batch_ == 1) {
    documents_.AppendDocument(first, body_);
    return requests_.AppendPost(RequestMaker::Post::kUpsert, DocumentMaker::PartitionKeyOf(first),
                                body_, 0, out);
  }
  for (uint64_t number = first; number < first + batch_; ++number) {
    body_ += number == first ? '[' : ',';
    body_ += R"({"operationType":"Upsert","resourceBody":)";
    documents_.AppendDocument(number, body_);
    body_ += '}';
  }
  body_ += ']';
  requests_.AppendPost(RequestMaker::Post::kBatch, DocumentMaker::PartitionKeyOf(first), body_, 0,
                       out);
}

bool SqlWorkload::IsGood(const HttpAnswer& answer) const {
  if (batch_ > 0) return answer.status == 200 || answer.status == 201;
  switch (kind_) {
    case SqlWorkloadKind::kRead:
      return answer.status == 200 && answer.body.size() > documents_.value_bytes();
    case SqlWorkloadKind::kCreate:
      return answer.status == 201;
    case SqlWorkloadKind::kQuery:
    case SqlWorkloadKind::kFind:
      return answer.status == 200 && HasCount(answer.body, DocumentMaker::kOfOneShelf);
    case SqlWorkloadKind::kTop:
      return answer.status == 200 && HasCount(answer.body, kTopDocuments);
    default:
      return answer.status == 200;
  }
}

}  // namespace orrery::bench
