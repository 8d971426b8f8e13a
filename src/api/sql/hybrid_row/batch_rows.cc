#include "api/sql/hybrid_row/batch_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "api/sql/hybrid_row/flat_row.h"
#include "api/sql/hybrid_row/record_io.h"
#include "base/utf8.h"
#include "model/document/json.h"

namespace orrery::sql::hybrid {
namespace {

using model::Value;

constexpr std::array<Column, 12> kOperationColumns = {
    {{"operationType", Storage::kFixed},
     {"resourceType", Storage::kFixed},
     {"partitionKey", Storage::kVariable},
     {"effectivePartitionKey", Storage::kVariable},
     {"id", Storage::kVariable},
     {"binaryId", Storage::kVariable},
     {"resourceBody", Storage::kVariable},
     {"indexingDirective", Storage::kSparse},
     {"ifMatch", Storage::kSparse},
     {"ifNoneMatch", Storage::kSparse},
     {"timeToLiveInSeconds", Storage::kSparse},
     {"minimalReturnPreference", Storage::kSparse}}};
constexpr Layout kOperation{2145473648, kOperationColumns};

constexpr std::array<Column, 6> kResultColumns = {{{"statusCode", Storage::kFixed},
                                                   {"subStatusCode", Storage::kFixed},
                                                   {"eTag", Storage::kVariable},
                                                   {"resourceBody", Storage::kVariable},
                                                   {"retryAfterMilliseconds", Storage::kSparse},
                                                   {"requestCharge", Storage::kSparse}}};
constexpr Layout kResult{2145473649, kResultColumns};

// The numbers of operations in .NET.
constexpr std::array<std::pair<int64_t, std::string_view>, 6> kOperationTypes = {
    {{0, "Create"}, {1, "Patch"}, {2, "Read"}, {4, "Delete"}, {5, "Replace"}, {20, "Upsert"}}};

Result<std::string> NameOfType(const Cell& cell) {
  const auto* number = std::get_if<int64_t>(&cell);
  const auto found = number == nullptr
                         ? kOperationTypes.end()
                         : std::ranges::find(kOperationTypes, *number,
                                             &std::pair<int64_t, std::string_view>::first);
  if (found != kOperationTypes.end()) return std::string(found->second);
  return Fail(Code::kInvalidArgument,
              fmt::format("an operation of a batch has the type {}, which is none of a document",
                          number == nullptr ? -1 : *number));
}

bool IsText(std::string_view name) {
  constexpr std::array<std::string_view, 4> kTexts = {"partitionKey", "id", "ifMatch",
                                                      "ifNoneMatch"};
  return std::ranges::find(kTexts, name) != kTexts.end();
}

// Nothing for columns that change nothing here.
Result<std::optional<Value>> MemberOf(const NamedCell& named) {
  const auto* text = std::get_if<std::string_view>(&named.cell);
  if (named.name == "operationType") {
    ORRERY_ASSIGN(std::string name, NameOfType(named.cell));
    return Value::String(std::move(name));
  }
  if (named.name == "resourceBody" && text != nullptr) {
    ORRERY_ASSIGN(Value document, model::ValueFromJson(*text));
    return document;
  }
  if (named.name == "minimalReturnPreference") {
    const auto* flag = std::get_if<int64_t>(&named.cell);
    return Value::Bool(flag != nullptr && *flag != 0);
  }
  if (text == nullptr || !IsText(named.name)) return std::nullopt;
  if (!IsUtf8(*text)) {
    return Fail(Code::kInvalidArgument,
                fmt::format("the {} of an operation of the batch is no UTF-8", named.name));
  }
  return Value::String(std::string(*text));
}

}  // namespace

bool IsRecordStream(std::string_view body) {
  return !body.empty() && static_cast<uint8_t>(body.front()) == kRowVersion;
}

Result<std::vector<Value>> ReadOperations(std::string_view body) {
  ORRERY_ASSIGN(const std::vector<std::string_view> records, SplitRecords(body, kBatchRowsMax));
  std::vector<Value> operations;
  operations.reserve(records.size());
  for (const std::string_view record : records) {
    ORRERY_ASSIGN(const std::vector<NamedCell> cells, ReadRow(kOperation, record));
    model::Fields members;
    for (const NamedCell& cell : cells) {
      ORRERY_ASSIGN(std::optional<Value> member, MemberOf(cell));
      if (member.has_value()) members.push_back({std::string(cell.name), *std::move(member)});
    }
    operations.push_back(Value::Object(std::move(members)));
  }
  return operations;
}

void AppendBatchResult(std::string& stream, const BatchResult& result) {
  RowBuilder row(kResult);
  row.PutFixed("statusCode", static_cast<uint32_t>(result.status));
  row.PutFixed("subStatusCode", static_cast<uint32_t>(result.substatus));
  if (!result.etag.empty()) row.PutVariable("eTag", result.etag);
  if (!result.body.empty()) row.PutVariable("resourceBody", result.body);
  if (result.retry_after_ms.has_value())
    row.PutSparseUint32("retryAfterMilliseconds", *result.retry_after_ms);
  row.PutSparseDouble("requestCharge", result.charge);
  AppendRecord(stream, std::move(row).Build());
}

}  // namespace orrery::sql::hybrid
