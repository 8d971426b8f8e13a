// An OwnedDirectory is a directory that this process alone may change, kept in memory.
//
// Each change is one write that requires the epoch under which the directory was taken: when
// another process has taken it since, the store refuses the write, and the directory is fenced for
// good, whatever is asked of it. After a change of which nobody knows whether it was made, the
// directory can only be read, until it is taken again.
//
// Names of new files and links are visible at once and stored later: with the next change, with
// StoreNames, or when the file is closed. A change stores all names of synced files before it, so
// that what is stored is what the directory was at some moment: a name never refers to one that a
// crash has lost. A file that replaces another takes its name when it is stored; until then a crash
// brings the former back.
//
// Thread-safe: changes wait for each other, looking does not wait. Outlived by the store and the
// remover.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"
#include "storage/rados/directory/directory_object.h"
#include "storage/rados/file/file_remover.h"
#include "storage/rados/file/file_writer.h"

namespace orrery::storage::rados {

// A file as it is found under a name: `writer` while this process writes it.
struct FoundFile {
  FileEntry entry;
  std::shared_ptr<FileWriter> writer;
};
using Found = std::variant<FoundFile, DirectoryId>;

class OwnedDirectory : public std::enable_shared_from_this<OwnedDirectory> {
 public:
  struct Taken {
    DirectoryPlace place;
    DirectoryEpoch epoch;
    uint64_t version = 0;
    Entries entries;  // every file is closed
  };
  OwnedDirectory(ObjectStore& store, FileRemover& remover, const Clock& clock, Taken taken);

  const DirectoryPlace& place() const { return place_; }
  DirectoryEpoch epoch() const { return epoch_; }

  // kFenced when it is.
  Status CheckOwned() const EXCLUDES(mutex_);
  // That, and kUnavailable when it must be taken again.
  Status CheckChangeable() const EXCLUDES(mutex_);
  void Fence() EXCLUDES(mutex_);

  std::optional<Found> Find(const std::string& name) const EXCLUDES(mutex_);
  std::vector<std::pair<std::string, Found>> List() const EXCLUDES(mutex_);

  // A new file without a name; then its name, in the place of a file that has it.
  Result<std::shared_ptr<FileWriter>> NewFile(uint32_t stripe_bytes) EXCLUDES(mutex_);
  Status NameFile(const std::string& name, const std::shared_ptr<FileWriter>& writer)
      EXCLUDES(mutex_);
  // The bytes of the file with that tag are stored: its name may be, too.
  void Synced(const LinkTag& tag) EXCLUDES(mutex_);
  // All of it is stored, and it stays as it is. A new file's name is stored on return.
  Status Closed(const LinkTag& tag, uint64_t bytes) EXCLUDES(mutex_);

  // A link is given its tag before the file gets to know of it, and its name afterwards, or it is
  // abandoned.
  LinkTag NewTag() EXCLUDES(mutex_);
  void Abandon(const LinkTag& tag) EXCLUDES(mutex_);
  // `entry` with its tag. kAlreadyExists when the name is taken.
  Status AddLink(const std::string& name, const FileEntry& entry) EXCLUDES(mutex_);

  // Of a file or directory, durable on return. A file replaces a file, a directory nothing.
  Status Rename(const std::string& from, const std::string& to) EXCLUDES(mutex_);
  // Puts a linked file in the place of whatever file has the name. Durable on return.
  Status Replace(const std::string& name, const FileEntry& entry) EXCLUDES(mutex_);
  // Durable on return. kNotFound when there is no such file.
  Status Delete(const std::string& name) EXCLUDES(mutex_);
  Status AddDirectory(const std::string& name, DirectoryId directory) EXCLUDES(mutex_);
  Status RemoveDirectory(const std::string& name) EXCLUDES(mutex_);
  // Every name is durable on return.
  Status StoreNames() EXCLUDES(mutex_);

  // OK when the directory is owned still, or the file's name is not stored: then storing it tells.
  Status Confirm(const LinkTag& tag) EXCLUDES(mutex_);
  // Returns whether the tag belongs to a name here, or is about to.
  bool Knows(const LinkTag& tag) const EXCLUDES(mutex_);

 private:
  struct OwnedFile {
    FileEntry entry;
    bool synced = false;   // worth storing
    bool stored = false;   // there is an entry, maybe one that says less; also while it is written
    bool current = false;  // the entry says all
    std::optional<FileEntry> replaced;  // is stored under the name as long as this is not
    std::weak_ptr<FileWriter> writer;
  };
  using Name = std::variant<OwnedFile, DirectoryId>;
  class Turn;

  std::optional<Error> ProblemLocked() const REQUIRES(mutex_);
  OwnedFile* FindFile(const std::string& name) REQUIRES(mutex_);
  OwnedFile* FindTag(const LinkTag& tag) REQUIRES(mutex_);
  // Takes the name away from whatever file has it; what is unlinked by that goes to `unlinked`.
  void Forget(const std::string& name, std::vector<FileEntry>& unlinked) REQUIRES(mutex_);
  void Put(const std::string& name, OwnedFile file) REQUIRES(mutex_);
  // Makes the change, with every name that is to be stored; of those that are not synced with
  // `all`. REQUIRES: the caller's turn.
  Status Commit(ObjectWrite change, bool all = false) EXCLUDES(mutex_);
  void Failed(const Error& error) REQUIRES(mutex_);

  ObjectStore& store_;
  FileRemover& remover_;
  const Clock& clock_;
  const DirectoryPlace place_;
  const DirectoryEpoch epoch_;
  const std::string object_;

  mutable Mutex mutex_;
  CondVar turn_ended_;
  bool busy_ GUARDED_BY(mutex_) = false;
  bool fenced_ GUARDED_BY(mutex_) = false;
  std::optional<Error> uncertain_ GUARDED_BY(mutex_);
  uint64_t version_ GUARDED_BY(mutex_);
  uint32_t last_number_ GUARDED_BY(mutex_) = 0;
  std::map<std::string, Name> names_ GUARDED_BY(mutex_);
  std::map<LinkTag, std::string> names_by_tag_ GUARDED_BY(mutex_);
  std::set<LinkTag> unnamed_ GUARDED_BY(mutex_);  // tags that are yet to be given a name
};

}  // namespace orrery::storage::rados
