// The scripts of containers, read once from each version of a container's settings.
//
// Thread-safe.
#pragma once

#include "api/sql/script/definition/script_set.h"
#include "base/ids.h"
#include "base/mutex.h"
#include "base/status.h"
#include "gateway/catalog/catalog_entries.h"
#include "script/lru_map.h"

namespace orrery::sql {

inline constexpr size_t kScriptSetsKept = 1'024;

class ScriptSets {
 public:
  // Those of this version of the container. kCorruption when they cannot be read.
  Result<ScriptSetRef> Of(const gateway::ContainerEntry& container) EXCLUDES(mutex_);

 private:
  struct Kept {
    uint64_t version = 0;
    ScriptSetRef scripts;
  };

  Mutex mutex_;
  script::LruMap<ContainerId, Kept> kept_ GUARDED_BY(mutex_){kScriptSetsKept};
};

}  // namespace orrery::sql
