// A StagedData is a second state of a data directory, made beside the first and put in its place at
// once: what a seed makes while nothing of it may be seen.
//
//   seeding/     the second state: a data directory of its own (server/data_directory.h) that
//   begins
//                as a copy of the first. Table files are shared by hard links, as nobody ever
//                changes one
//   ADOPT        the second state is complete: it takes the place of the first, now or at the next
//                start
//   retired/     the first state, on its way out
//
// A crash at any step leaves the first state or the second: without ADOPT seeding/ is forgotten,
// with it the renames go on where they ended.
//
// REQUIRES: the data directory's lock is held and nothing has its files open. Not thread-safe.
#pragma once

#include <string>

#include "base/status.h"

namespace orrery::server {

class StagedData {
 public:
  // Finishes or forgets what an earlier process left. Every start calls it, before files are
  // opened.
  static Status Recover(const std::string& data_directory);

  // Makes the second state. kResourceExhausted: the disk is full.
  static Result<StagedData> Make(const std::string& data_directory);
  // Forgets the second state unless it was adopted.
  ~StagedData();
  StagedData(StagedData&& other) noexcept;
  StagedData& operator=(StagedData&&) = delete;

  // A data directory.
  const std::string& path() const { return path_; }
  // Puts the second state in place of the first. REQUIRES: no server has it open.
  Status Adopt();

 private:
  StagedData(std::string data_directory, std::string path)
      : data_directory_(std::move(data_directory)), path_(std::move(path)) {}

  std::string data_directory_;
  std::string path_;  // empty: adopted, or moved from
};

}  // namespace orrery::server
