// A directory as it is stored: one object, whose entries are the names in it.
//
//   attributes of the object: epoch    decimal; 0: shared by all, else the number of its owner
//                             version  decimal; raised by each change
//                             parent   hex16: the directory that names it
//
// A shared directory is changed by anyone, by compare-and-set of the version; an owned one only by
// its owner (owned_directory.h), by writes that require its epoch. A directory that nobody has put
// anything into has no object: it is made by the first change or Take, after the directory above
// names it. So an object that the directory above does not name was removed, and never comes back.
//
// Nothing is cached here. Stateless; thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "base/status.h"
#include "storage/rados/directory/directory_entry.h"
#include "storage/rados/object/object_store.h"

namespace orrery::storage::rados {

inline constexpr const char* kVersionAttribute = "version";
inline constexpr const char* kParentAttribute = "parent";

// A directory, and the one that names it, by what name when that is known. The root is its own
// parent.
struct DirectoryPlace {
  DirectoryId id;
  DirectoryId parent;
  std::string name = {};
};

struct DirectoryState {
  DirectoryEpoch epoch;
  uint64_t version = 0;
  DirectoryId parent;
};

using Entries = std::map<std::string, Entry>;

// The state of the object; nullopt when it has none.
Result<std::optional<DirectoryState>> ReadState(ObjectStore& store, DirectoryId directory);

// All entries; none when there is no object. Those of one moment when nobody else can change them.
Result<Entries> ReadEntries(ObjectStore& store, DirectoryId directory);

// State and entries of one moment, whoever changes them; nullopt when there is no object.
struct DirectorySnapshot {
  DirectoryState state;
  Entries entries;
};
Result<std::optional<DirectorySnapshot>> ReadSnapshot(ObjectStore& store, DirectoryId directory);

Result<std::optional<Entry>> FindEntry(ObjectStore& store, DirectoryId directory,
                                       const std::string& name);

// The object of a directory that has none: the requirement, the attributes.
ObjectWrite MakeDirectoryObject(const DirectoryPlace& place, DirectoryEpoch epoch);

// Changes a shared directory: `plan` looks at it and says what to change, again when another was
// quicker; its error ends it. kFenced when the directory has an owner, kNotFound when it is no
// longer named.
using SharedPlan = std::function<Result<ObjectWrite>()>;
Status ChangeShared(ObjectStore& store, const DirectoryPlace& place, const SharedPlan& plan);

// kNotFound unless `place.parent` names it; its object is removed then. For whoever has just made
// that.
Status RequireNamed(ObjectStore& store, const DirectoryPlace& place);

// Makes the root when there is none.
Status MakeRoot(ObjectStore& store);

}  // namespace orrery::storage::rados
