// Bodies of batches of any content: operations, or an error that says why.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "api/sql/hybrid_row/batch_rows.h"
#include "base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery;
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  const auto operations = sql::hybrid::ReadOperations(body);
  if (!operations.has_value()) {
    ORRERY_CHECK(operations.error().code() == Code::kInvalidArgument);
    return 0;
  }
  for (const model::Value& operation : *operations)
    ORRERY_CHECK(operation.kind() == model::Kind::kObject);
  return 0;
}
