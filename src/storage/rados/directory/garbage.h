// Finds and removes the objects that nothing refers to any more: what crashes have left between two
// steps, and what a former owner of a directory has written after it was taken.
//
// Safe beside everything that live processes do, because it removes only what can never be referred
// to again:
//  - A directory object that the directory above does not name. A directory is named before its
//    object is made, by one directory all its life, and its id is never given again.
//  - A link of a file whose maker can no longer name it. A link says which directory it is for and
//    under which epoch: only the owner of that epoch gives it its name. So it is dead when that
//    directory is gone, or has a later epoch and no such name, the epoch read before the names; or
//    when it is ours, and we do not know it.
//  - The first stripe of a file all of whose links are dead, in a step that requires that no link
//    was added meanwhile. A link that is added at the same moment either comes first, and the step
//    is refused, or finds the file gone.
//  - Other stripes of a file without a first one, when no owner can be writing it: the file's epoch
//    is not the directory's any more, or it is ours and we do not know it. Links need the first.
//  - Stripes behind the end of a file that is closed under an earlier epoch than its directory has:
//    its writer was fenced.
//
// Everything else is left alone, also objects with names of no known form and whatever a damaged
// directory may name. What the owner of a directory has left behind without a crash (a removal that
// failed) is told from what it is about to name when the directory has its next owner.
//
// A pass goes through the namespace in steps of some objects each, so that neither its memory nor
// its load grows with the store: objects come in no order, and each page of their names is judged
// by itself. Stripes that were seen before their file was found dead go in the next pass.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/status.h"
#include "storage/rados/directory/directory_tree.h"
#include "storage/rados/object/object_store.h"

namespace orrery::storage::rados {

struct GarbageCount {
  uint64_t objects_seen = 0;
  uint64_t objects_removed = 0;
  uint64_t links_removed = 0;
  uint64_t objects_unknown = 0;  // with names of no known form, or of damaged directories
};

// From one thread.
class GarbageSweep {
 public:
  // Directories whose names are remembered between objects.
  static constexpr size_t kSnapshotsMax = 10'000;

  // `tree` and `remover` know what this process has. All must outlive it.
  GarbageSweep(ObjectStore& store, DirectoryTree& tree, const FileRemover& remover)
      : store_(store), tree_(tree), remover_(remover) {}

  // Judges the next `objects` or so; the numbers of the whole pass when it ended with them, and the
  // next step begins another. After an error the same are judged again.
  Result<std::optional<GarbageCount>> Step(size_t objects);

 private:
  // The known state of a link: dead for good, or alive and maybe named by an entry.
  struct Link {
    bool dead = false;
    std::optional<FileEntry> entry;
  };
  using Stripes = std::set<uint32_t>;

  Status Judge(const std::vector<std::string>& names);
  Status Consider(DirectoryId directory);
  Status Consider(const FileId& file, const Stripes& stripes);
  Status ConsiderHeadless(const FileId& file, const Stripes& stripes);
  // Null when there is no such directory.
  Result<const DirectorySnapshot*> Snapshot(DirectoryId directory);
  // The name that the file was made under, if its directory still has that.
  Result<std::optional<FileEntry>> OwnEntry(const FileId& file);
  Result<bool> MayBeNamed(const FileId& id);
  Result<Link> JudgeLink(const LinkTag& tag);
  Status RemoveFile(const FileId& file, const Stripes& stripes, const std::set<LinkTag>& links);
  Status RemoveBehindEnd(const FileId& file, const Stripes& stripes,
                         const std::vector<FileEntry>& named);
  Status Remove(std::vector<std::string> objects);

  ObjectStore& store_;
  DirectoryTree& tree_;
  const FileRemover& remover_;
  std::string cursor_;
  GarbageCount count_;  // of the pass
  std::map<DirectoryId, DirectorySnapshot> snapshots_;
};

}  // namespace orrery::storage::rados
