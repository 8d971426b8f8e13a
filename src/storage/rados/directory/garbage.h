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
// Everything else is left alone, also objects with names of no known form.
#pragma once

#include <cstdint>

#include "base/status.h"
#include "storage/rados/directory/directory_tree.h"
#include "storage/rados/object_store.h"

namespace orrery::storage::rados {

struct GarbageCount {
  uint64_t objects_seen = 0;
  uint64_t objects_removed = 0;
  uint64_t links_removed = 0;
  uint64_t objects_unknown = 0;  // with names of no known form
};

// Goes through the whole namespace once. `tree` and `remover` know what this process has.
Result<GarbageCount> CollectGarbage(ObjectStore& store, DirectoryTree& tree,
                                    const FileRemover& remover);

}  // namespace orrery::storage::rados
