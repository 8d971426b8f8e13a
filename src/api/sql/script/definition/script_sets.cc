#include "api/sql/script/definition/script_sets.h"

#include <memory>
#include <utility>

#include "api/sql/script/definition/script_set_codec.h"

namespace orrery::sql {

Result<ScriptSetRef> ScriptSets::Of(const gateway::ContainerEntry& container) {
  {
    MutexLock lock(mutex_);
    const Kept* found = kept_.Find(container.id);
    if (found != nullptr && found->version == container.version) return found->scripts;
  }
  ORRERY_ASSIGN(ScriptSet read, ReadScripts(container.settings.extra));
  auto scripts = std::make_shared<const ScriptSet>(std::move(read));
  MutexLock lock(mutex_);
  Kept* found = kept_.Find(container.id);
  if (found == nullptr) {
    kept_.Insert(container.id, {container.version, scripts}, [](const ContainerId&) {});
  } else if (found->version < container.version) {
    *found = {container.version, scripts};
  }
  return scripts;
}

}  // namespace orrery::sql
