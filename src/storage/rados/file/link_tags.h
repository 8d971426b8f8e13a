// The links of a file: which names it has, in any directory, kept as one attribute of its first
// stripe's object.
//
// A link is added here before its name is stored, and removed here after its name was: a crash in
// between leaves a link without a name, never a name without a file. Adding, removing and the
// removal of the file with its last link are single guarded steps, so that of a link and a last
// unlink at the same moment one sees the other.
//
// Stateless; thread-safe.
#pragma once

#include <set>

#include "base/status.h"
#include "storage/rados/directory/directory_entry.h"
#include "storage/rados/object/object_store.h"

namespace orrery::storage::rados {

inline constexpr const char* kLinksAttribute = "links";

// kNotFound when the file is gone. A file without bytes may have no object yet: it gets one.
Status AddLink(ObjectStore& store, const FileEntry& source, const LinkTag& link);

// Returns whether it was the last: the first stripe is gone then, and the others can follow.
Result<bool> RemoveLink(ObjectStore& store, const FileId& file, const LinkTag& link);

// kNotFound when the first stripe is not there.
Result<std::set<LinkTag>> ReadLinks(ObjectStore& store, const FileId& file);

}  // namespace orrery::storage::rados
