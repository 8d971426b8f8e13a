// A DirectoryHold stands for a directory that this process has taken (DirectoryOwner), until it
// goes. One at a time for each directory: a second engine in it would shut the first one out.
// Internal to storage/.
#pragma once

#include <string>
#include <utility>

#include "base/status.h"
#include "storage/resources_rep.h"

namespace orrery::storage {

class DirectoryHold {
 public:
  // Holds nothing where directories have no owners. kUnavailable when it is held already.
  static Result<DirectoryHold> Take(EngineResources::Rep& shared, const std::string& path);

  DirectoryHold() = default;
  DirectoryHold(DirectoryHold&& other) noexcept
      : shared_(std::exchange(other.shared_, nullptr)), path_(std::move(other.path_)) {}
  DirectoryHold& operator=(DirectoryHold&& other) noexcept {
    std::swap(shared_, other.shared_);
    std::swap(path_, other.path_);
    return *this;
  }
  ~DirectoryHold();

 private:
  DirectoryHold(EngineResources::Rep& shared, std::string path)
      : shared_(&shared), path_(std::move(path)) {}

  EngineResources::Rep* shared_ = nullptr;
  std::string path_;
};

}  // namespace orrery::storage
