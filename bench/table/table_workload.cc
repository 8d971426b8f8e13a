#include "table/table_workload.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "base/check.h"

namespace orrery::bench {
namespace {

constexpr std::string_view kRowKeyField = R"("RowKey":)";
constexpr std::string_view kDoneOperation = "HTTP/1.1 204";

uint64_t CountOf(std::string_view text, std::string_view part) {
  uint64_t found = 0;
  for (size_t at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + part.size())) {
    ++found;
  }
  return found;
}

}  // namespace

TableWorkload::TableWorkload(TableWorkloadKind kind, KeyChooser keys,
                             const TableRequestMaker& requests, const EntityMaker& entities)
    : kind_(kind), keys_(std::move(keys)), requests_(requests), entities_(entities) {
  ORRERY_CHECK(kind != TableWorkloadKind::kNone);
}

OperationKind TableWorkload::Next(std::string& out) {
  const uint64_t number = keys_.Next();
  const uint64_t shelf = EntityMaker::ShelfOf(number);
  body_.clear();
  switch (kind_) {
    case TableWorkloadKind::kRead:
      requests_.AppendRead(number, out);
      return OperationKind::kRead;
    case TableWorkloadKind::kInsert:
      entities_.AppendEntity(number, body_);
      requests_.AppendInsert(body_, out);
      return OperationKind::kInsert;
    case TableWorkloadKind::kMerge:
      body_ = fmt::format(R"({{"number":{},"merged":true}})", number);
      requests_.AppendMerge(number, body_, out);
      return OperationKind::kInsert;
    case TableWorkloadKind::kBatch:
      requests_.AppendBatch(number * EntityMaker::kOfOnePartition, entities_, out);
      return OperationKind::kInsert;
    case TableWorkloadKind::kQuery:
      requests_.AppendQuery(fmt::format("PartitionKey eq '{}' and shelf eq {}",
                                        EntityMaker::PartitionKeyOf(number), shelf),
                            0, out);
      return OperationKind::kQuery;
    case TableWorkloadKind::kFind:
      requests_.AppendQuery(fmt::format("shelf eq {}", shelf), 0, out);
      return OperationKind::kQuery;
    default:
      requests_.AppendQuery({}, kPageEntities, out);
      return OperationKind::kQuery;
  }
}

bool TableWorkload::IsGood(const HttpAnswer& answer) const {
  switch (kind_) {
    case TableWorkloadKind::kRead:
      return answer.status == 200 && answer.body.size() > entities_.value_bytes();
    case TableWorkloadKind::kInsert:
    case TableWorkloadKind::kMerge:
      return answer.status == 204;
    case TableWorkloadKind::kBatch:
      return answer.status == 202 &&
             CountOf(answer.body, kDoneOperation) == EntityMaker::kOfOnePartition;
    case TableWorkloadKind::kQuery:
    case TableWorkloadKind::kFind:
      return answer.status == 200 && CountOf(answer.body, kRowKeyField) == EntityMaker::kOfOneShelf;
    default:
      return answer.status == 200 && CountOf(answer.body, kRowKeyField) == kPageEntities;
  }
}

}  // namespace orrery::bench
