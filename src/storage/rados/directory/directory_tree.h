// The DirectoryTree finds directories by path, knows which of them this process owns, and makes,
// removes and renames them.
//
// Directories that this process owns are found in memory. Others are looked up in the store each
// time: the directories above the owned ones are shared with other processes. So the path of an
// owned directory is what it was when it was taken or renamed here: renaming a directory above it
// elsewhere is not noticed.
//
// A process that changes files in a directory must own it. A directory that nobody has taken is
// taken by the first who puts a file into it, and so is one with another owner, except by Lock,
// through which every engine goes: an engine's directory is taken on purpose or not at all. A
// directory that was taken from this process is never taken back but by Take.
//
// Thread-safe. The store and the remover must outlive it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"
#include "storage/rados/directory/owned_directory.h"

namespace orrery::storage::rados {

class DirectoryTree {
 public:
  DirectoryTree(ObjectStore& store, FileRemover& remover, const Clock& clock,
                std::function<uint64_t()> random);

  // Paths are normal (path.h) throughout. kNotFound when there is no such directory.
  Status Take(const std::string& path) EXCLUDES(mutex_);
  // Forgets it: it can still be read, and taken by anyone. Its files must be closed.
  void Release(const std::string& path) EXCLUDES(mutex_);

  // A directory, and its content in memory when this process owns it.
  struct Place {
    DirectoryPlace place;
    std::shared_ptr<OwnedDirectory> owned;
  };
  Result<Place> Locate(const std::string& path) EXCLUDES(mutex_);
  // For a change of the files in it.
  Result<std::shared_ptr<OwnedDirectory>> LocateToChange(const std::string& path) EXCLUDES(mutex_);
  // That, but kFenced when another process owns it; takes it again when it was ours and a change of
  // it was left unknown.
  Status PrepareToLock(const std::string& path) EXCLUDES(mutex_);

  // Returns the entry at `path`; nullopt when there is none.
  Result<std::optional<Found>> Find(const std::string& path) EXCLUDES(mutex_);
  Result<std::vector<std::pair<std::string, Found>>> List(const std::string& path) EXCLUDES(mutex_);

  // Durable on return, all of them. kAlreadyExists.
  Status Make(const std::string& path) EXCLUDES(mutex_);
  // kInvalidArgument when it is not empty.
  Status Remove(const std::string& path) EXCLUDES(mutex_);
  // Within one directory, onto a name that is free.
  Status Rename(const std::string& from, const std::string& to) EXCLUDES(mutex_);

  // The directory when this process owns it, and was not fenced.
  std::shared_ptr<OwnedDirectory> OwnedById(DirectoryId directory) const EXCLUDES(mutex_);

 private:
  // Lookups in memory or in the store.
  Result<std::optional<Found>> FindIn(const Place& directory, const std::string& name);
  Result<std::shared_ptr<OwnedDirectory>> TakePlace(const std::string& path,
                                                    const DirectoryPlace& place) EXCLUDES(mutex_);
  std::shared_ptr<OwnedDirectory> Adopt(const std::string& path, OwnedDirectory::Taken taken)
      EXCLUDES(mutex_);
  void ForgetPath(const std::string& path) EXCLUDES(mutex_);
  // Changes the names of subdirectories in `directory`, whoever owns it or nobody.
  Status ChangeNames(const Place& directory,
                     const std::function<Status(OwnedDirectory&)>& when_owned,
                     const SharedPlan& when_shared);

  ObjectStore& store_;
  FileRemover& remover_;
  const Clock& clock_;

  mutable Mutex mutex_;
  CondVar taken_;
  std::function<uint64_t()> random_ GUARDED_BY(mutex_);
  std::map<std::string, std::shared_ptr<OwnedDirectory>> owned_ GUARDED_BY(mutex_);  // by path
  bool taking_over_ GUARDED_BY(mutex_) = false;  // one at a time
};

}  // namespace orrery::storage::rados
