// SmallFiles remembers the bytes of small files that were read as a whole. Opening an engine reads
// its CURRENT, its MANIFEST and its logs more than once.
//
// Only closed files: they never change, and their ids are never given again.
//
// Thread-safe.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <string>

#include "base/mutex.h"
#include "storage/rados/file/file_id.h"

namespace orrery::storage::rados {

class SmallFiles {
 public:
  static constexpr size_t kFileBytesMax = 1 << 20;
  static constexpr size_t kFilesMax = 16;

  // Null when it is not known.
  std::shared_ptr<const std::string> Find(const FileId& file) const EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    const auto found = files_.find(file);
    return found == files_.end() ? nullptr : found->second;
  }

  // Forgets the oldest for it.
  void Put(const FileId& file, std::string bytes) EXCLUDES(mutex_) {
    if (bytes.size() > kFileBytesMax) return;
    MutexLock lock(mutex_);
    if (!files_.try_emplace(file, std::make_shared<const std::string>(std::move(bytes))).second)
      return;
    oldest_first_.push_back(file);
    if (oldest_first_.size() <= kFilesMax) return;
    files_.erase(oldest_first_.front());
    oldest_first_.pop_front();
  }

 private:
  mutable Mutex mutex_;
  std::map<FileId, std::shared_ptr<const std::string>> files_ GUARDED_BY(mutex_);
  std::deque<FileId> oldest_first_ GUARDED_BY(mutex_);
};

}  // namespace orrery::storage::rados
