// Resource tokens of any content: none of them is this account's.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "api/sql/user/resource_token.h"
#include "base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery;
  static const gateway::Accounts accounts = [] {
    gateway::AccountKeys keys;
    keys.primary = *gateway::Accounts::NewKey();
    return *gateway::Accounts::Create(keys);
  }();
  const auto grant =
      sql::CheckToken(accounts, {reinterpret_cast<const char*>(data), size}, Micros(0));
  ORRERY_CHECK(!grant.has_value() && grant.error().code() == Code::kUnauthorized);
  return 0;
}
