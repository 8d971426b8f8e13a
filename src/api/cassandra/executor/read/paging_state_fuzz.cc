// What clients may send as a paging state: refused, or read as what writes the same bytes.
#include "api/cassandra/executor/read/paging_state.h"
#include "base/bytes.h"
#include "base/check.h"

namespace {

constexpr size_t kStatementAt = 2;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  uint64_t statement = 0;
  if (size >= kStatementAt + sizeof(statement))
    statement = LoadBigEndian<uint64_t>(bytes.data() + kStatementAt);
  const auto state = cassandra::DecodePagingState(bytes, statement);
  if (!state.has_value()) return 0;
  const auto again = cassandra::DecodePagingState(cassandra::EncodePagingState(*state), statement);
  ORRERY_CHECK(again.has_value() && *again == *state);
  return 0;
}
