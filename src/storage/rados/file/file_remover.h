// A FileRemover takes away the objects of files whose last name is gone, when nobody in this
// process has them open any more.
//
// Removing happens in the background: the name is gone already, and what a crash leaves of the
// objects is found by CollectGarbage. Errors are left to it, too.
//
// Thread-safe. The store must outlive it; the destructor finishes what is to be done.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "base/mutex.h"
#include "base/thread_pool.h"
#include "storage/rados/directory/directory_entry.h"
#include "storage/rados/object/object_store.h"

namespace orrery::storage::rados {

class FileRemover {
 public:
  explicit FileRemover(ObjectStore& store);

  // While a hold lives the file's objects stay. May outlive the remover's user, not the remover.
  class Hold {
   public:
    Hold(FileRemover& remover, const FileId& file);
    ~Hold();
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

   private:
    FileRemover& remover_;
    const FileId file_;
  };

  // After the name was removed, durably. `entry.closed` or not, as it was when it was removed.
  void Unlink(const FileEntry& entry) EXCLUDES(mutex_);

  // Returns whether some handle of this process has it open.
  bool Holds(const FileId& file) const EXCLUDES(mutex_);
  // Returns when all that can be removed was, or has failed.
  void Wait() EXCLUDES(mutex_);

 private:
  struct Held {
    size_t holds = 0;
    std::vector<FileEntry> unlinked;  // meanwhile
  };

  void Release(const FileId& file) EXCLUDES(mutex_);
  void Remove(const FileEntry& entry) EXCLUDES(mutex_);

  ObjectStore& store_;
  mutable Mutex mutex_;
  CondVar changed_;
  std::map<FileId, Held> held_ GUARDED_BY(mutex_);
  size_t running_ GUARDED_BY(mutex_) = 0;
  ThreadPool workers_;  // last: uses the others
};

// Removes a link and, when it was the last, the file. `entry` as of FileRemover::Unlink.
Status RemoveLinkedFile(ObjectStore& store, const FileEntry& entry);

}  // namespace orrery::storage::rados
