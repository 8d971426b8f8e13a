// The scripts of one container: which there are, and what may be added.
//
// A value: a change makes another set, which the caller puts into the container's settings
// (script_set_codec.h). Every change takes the next stamp, so that no two scripts share a number
// and no two versions an etag, also after one was deleted.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "api/sql/script/definition/script_definition.h"
#include "base/clock.h"
#include "base/status.h"

namespace orrery::sql {

inline constexpr size_t kProceduresMax = 100;
inline constexpr size_t kTriggersMax = 25;
inline constexpr size_t kFunctionsMax = 50;

struct StoredScript {
  ScriptDefinition definition;
  uint64_t number = 0;   // in its resource id: the stamp of its creation
  uint64_t version = 0;  // in its etag: the stamp of its last change
  Micros changed{0};

  friend bool operator==(const StoredScript&, const StoredScript&) = default;
};

class ScriptSet {
 public:
  ScriptSet() = default;
  // As it was stored. REQUIRES: no stamp in it is higher than `stamp`.
  ScriptSet(std::vector<StoredScript> scripts, uint64_t stamp)
      : scripts_(std::move(scripts)), stamp_(stamp) {}

  // Those of all kinds, in the order of their creation.
  const std::vector<StoredScript>& all() const { return scripts_; }
  uint64_t stamp() const { return stamp_; }
  size_t Count(ScriptKind kind) const;
  // Null when there is none.
  const StoredScript* Find(ScriptKind kind, std::string_view id) const;

  // kAlreadyExists; kForbidden when there are as many of the kind as there may be.
  Result<StoredScript> Create(ScriptDefinition definition, Micros now);
  // The one of that kind called `id`; the definition may give it another id. kNotFound,
  // kAlreadyExists; kPreconditionFailed when its version is not `if_match`.
  Result<StoredScript> Replace(std::string_view id, ScriptDefinition definition,
                               std::optional<uint64_t> if_match, Micros now);
  Status Delete(ScriptKind kind, std::string_view id, std::optional<uint64_t> if_match);

  friend bool operator==(const ScriptSet&, const ScriptSet&) = default;

 private:
  Result<StoredScript*> FindForChange(ScriptKind kind, std::string_view id,
                                      std::optional<uint64_t> if_match);

  std::vector<StoredScript> scripts_;
  uint64_t stamp_ = 0;
};

// One that no longer changes, for all who run its scripts.
using ScriptSetRef = std::shared_ptr<const ScriptSet>;

}  // namespace orrery::sql
