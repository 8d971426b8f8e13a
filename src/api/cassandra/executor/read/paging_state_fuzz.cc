// Paging states of clients: any bytes must be refused, or read as what writes the same bytes.
#include "api/cassandra/executor/read/paging_state.h"
#include "base/bytes.h"
#include "base/check.h"
#include "base/murmur3.h"

namespace {

using namespace orrery;

constexpr std::string_view kTable = "0123456789abcdef";

void Try(std::string_view bytes) {
  for (const auto kind : {cassandra::PagingKind::kRows, cassandra::PagingKind::kFeed}) {
    const auto state = cassandra::DecodePagingState(bytes, kind, kTable);
    if (!state.has_value()) continue;
    ORRERY_CHECK(state->kind == kind && state->table == kTable);
    const auto again =
        cassandra::DecodePagingState(cassandra::EncodePagingState(*state), kind, kTable);
    ORRERY_CHECK(again.has_value() && *again == *state);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  Try(bytes);
  // Behind a check that fits there is more to find.
  std::string checked(bytes);
  AppendBigEndian(checked, static_cast<uint32_t>(Murmur3(checked).high));
  Try(checked);
  return 0;
}
