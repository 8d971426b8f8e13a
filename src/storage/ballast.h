// A Ballast is a file that takes up some of the disk, so that there is something to give back when
// the disk is full: opening an engine after a crash writes, and so does every delete. Without it a
// server on a full disk cannot be started, and nothing can be deleted through it.
//
// It holds nothing. Given up it stays as an empty file, by which the next start knows that its
// bytes are still owed: until there is room for them growth is refused as if they were there
// (cluster/maintenance/repair.h), or the second time the disk is full there would be no ballast.
//
// For files of this machine only, whatever file system the engines are on. Not thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace orrery::storage {

inline constexpr std::string_view kBallastFile = "BALLAST";

class Ballast {
 public:
  // `directory` exists. `bytes` is what it should have; 0: no ballast, and one that is there goes.
  Ballast(const std::string& directory, uint64_t bytes);

  // Gives the bytes back where fewer than `free_min` are free on the disk. Returns whether it did.
  bool GiveUpBelow(uint64_t free_min);
  // Returns false when there was nothing to give.
  bool GiveUp();

  // The bytes that were given up, or never taken for want of room. 0 before the first Make.
  uint64_t owed() const { return owed_; }
  // Returns whether there is none yet: not even one that was given up.
  bool is_new() const { return is_new_; }
  uint64_t bytes() const { return bytes_; }

  // Takes up the bytes. On an error it has none, and they are owed.
  Status Make();

 private:
  const std::string path_;
  const uint64_t bytes_;
  uint64_t owed_ = 0;
  bool is_new_ = false;
};

}  // namespace orrery::storage
