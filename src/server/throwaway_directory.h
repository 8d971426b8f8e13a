// A ThrowawayDirectory is a folder for the data of a server that nobody needs afterwards
// (`--data memory`, `orrery run`): it is removed with its object.
//
// It lies in memory (/dev/shm) where that has room, else where temporary files go (TMPDIR, /tmp).
// Directories of processes that were killed are removed by the next one: the lock of a data
// directory says that its server is gone.
#pragma once

#include <memory>
#include <string>

#include "base/status.h"

namespace orrery::server {

class ThrowawayDirectory {
 public:
  // Makes a new one, readable by its owner alone. The error says which folders were tried.
  static Result<std::unique_ptr<ThrowawayDirectory>> Make();
  ~ThrowawayDirectory();
  ThrowawayDirectory(const ThrowawayDirectory&) = delete;
  ThrowawayDirectory& operator=(const ThrowawayDirectory&) = delete;

  const std::string& path() const { return path_; }

 private:
  explicit ThrowawayDirectory(std::string path) : path_(std::move(path)) {}
  const std::string path_;
};

// Removes the throw-away directories of `parent` whose server is gone; returns how many.
size_t SweepThrowaways(const std::string& parent);

}  // namespace orrery::server
