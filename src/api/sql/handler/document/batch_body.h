// The body of a batch, operation by operation, and the answer's. Both in JSON, or both as rows
// (hybrid_row/batch_rows.h), as the client likes:
//
//   body := [ {"operationType","id"?,"partitionKey"?,"resourceBody"?,"ifMatch"?,"ifNoneMatch"?} ]
//   answer := [ {"statusCode","requestCharge","eTag"?,"resourceBody"?,"retryAfterMilliseconds"?} ]
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/sql/handler/document/write_operation.h"
#include "api/sql/handler/parts.h"
#include "api/sql/http/error_response.h"
#include "api/sql/hybrid_row/batch_rows.h"
#include "model/value.h"

namespace orrery::sql {

inline constexpr size_t kBatchOperationsMax = 100;

enum class BatchForm : uint8_t { kJson, kRows };
BatchForm FormOf(std::string_view body);

// The operations as they came, rows as objects of the same members. 400 when it is no array, is
// empty, or has more than the most.
SqlResult<std::vector<model::Value>> BatchOperations(std::string_view body);

// One of them, as far as its own words say.
struct BatchOperation {
  item::OperationKind kind = item::OperationKind::kUpsert;
  std::optional<gateway::KeyValues> key{};
  std::string id{};
  Conditions conditions{};
  const model::Value* body = nullptr;  // of the operation as it came, which must outlive this
};
// `named` is the key of the whole batch; without it the operation names its own. What is refused
// here is no operation that could be tried.
SqlResult<BatchOperation> ReadOperation(const std::optional<gateway::KeyValues>& named,
                                        const model::Value& operation);
// An error here is the operation's own fault.
SqlResult<PreparedWrite> PrepareOperation(const HandlerParts& parts,
                                          const gateway::ContainerEntry& container,
                                          BatchOperation operation);

// Writes the answer.
class BatchAnswer {
 public:
  explicit BatchAnswer(BatchForm form);

  void Add(const ContainerNames& names, const item::ItemKey& key,
           const item::OperationResult& result, bool minimal);
  void Add(const Failure& failure, RequestUnits charge);
  BatchForm form() const { return form_; }
  std::string Finish() &&;

 private:
  // `failed`: its body is what went wrong, not a document.
  void Put(const hybrid::BatchResult& result, bool failed);

  BatchForm form_;
  std::string body_;
};

}  // namespace orrery::sql
