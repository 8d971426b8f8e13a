#include "gateway/move/move_lock.h"

#include <fmt/format.h>

#include "base/bytes.h"

namespace orrery::gateway {
namespace {

constexpr std::string_view kMoveLockPrefix = "ml/";

thread_local int move_scopes = 0;
thread_local bool move_forgets = false;

}  // namespace

std::string MoveLockKey(ContainerId id) {
  std::string key(kMoveLockPrefix);
  AppendBigEndian(key, id.value());
  return key;
}

Status CheckNotMoving(const cluster::SystemStore& system, const ContainerEntry& container) {
  if (MoveScope::IsHere()) return {};
  ORRERY_ASSIGN(const auto lock, system.Get(MoveLockKey(container.id)));
  if (!lock.has_value()) return {};
  return Fail(Code::kPreconditionFailed,
              fmt::format("container '{}' is being moved: wait until that is done, or cancel it "
                          "(orrery move --cancel)",
                          container.settings.name));
}

MoveScope::MoveScope(bool forgets) : forgot_before_(move_forgets) {
  ++move_scopes;
  move_forgets = forgets;
}
MoveScope::~MoveScope() {
  --move_scopes;
  move_forgets = forgot_before_;
}
bool MoveScope::IsHere() { return move_scopes > 0; }
bool MoveScope::Forgets() { return move_forgets; }

}  // namespace orrery::gateway
