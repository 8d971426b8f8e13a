#include "query/runner/query_runners.h"

#include "base/check.h"

namespace orrery::query {

void QueryRunners::Add(QueryRunner& runner) {
  for (auto& slot : runners_) {
    if (slot.load() != nullptr) continue;
    slot.store(&runner, std::memory_order_release);
    return;
  }
  ORRERY_CHECK(false);
}

QueryRunner* QueryRunners::Find(std::string_view api) const {
  for (const auto& slot : runners_) {
    QueryRunner* const runner = slot.load(std::memory_order_acquire);
    if (runner == nullptr || runner->api() == api) return runner;
  }
  return nullptr;
}

std::string QueryRunners::Names() const {
  std::string names;
  for (const auto& slot : runners_) {
    const QueryRunner* const runner = slot.load(std::memory_order_acquire);
    if (runner == nullptr) break;
    if (!names.empty()) names += ", ";
    names += runner->api();
  }
  return names;
}

}  // namespace orrery::query
