#include "storage/engine/directory_hold.h"

#include <fmt/core.h>

namespace orrery::storage {

Result<DirectoryHold> DirectoryHold::Take(EngineResources::Rep& shared, const std::string& path) {
  const auto& owner = shared.options.directory_owner;
  if (owner == nullptr) return DirectoryHold();
  {
    MutexLock lock(shared.holds_mutex);
    if (!shared.holds.insert(path).second)
      return Fail(Code::kUnavailable, fmt::format("this process has '{}' open already", path));
  }
  DirectoryHold hold(shared, path);
  // One that is not there yet is its maker's.
  if (Status taken = owner->Take(path);
      !taken.has_value() && taken.error().code() != Code::kNotFound) {
    return Fail(std::move(taken).error());
  }
  return hold;
}

DirectoryHold::~DirectoryHold() {
  if (shared_ == nullptr) return;
  shared_->options.directory_owner->Release(path_);
  MutexLock lock(shared_->holds_mutex);
  shared_->holds.erase(path_);
}

}  // namespace orrery::storage
