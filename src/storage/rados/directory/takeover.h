// Takeover of a directory: how a process becomes the one that may change it.
//
// The epoch is raised first, by compare-and-set: from then on every change by a former owner is
// refused. Then each file that the former owner may still be writing is sealed (stripes.h), and its
// length stored with its name. What the former owner was told to be stored is there; what it tries
// to store later is refused or lies behind the end of its file.
//
// Others decide whether a process should take a directory (a lease, a plan): a takeover only makes
// sure that there is one owner.
//
// Stateless; thread-safe.
#pragma once

#include "base/status.h"
#include "storage/rados/directory/owned_directory.h"
#include "storage/rados/object/object_store.h"

namespace orrery::storage::rados {

// kNotFound when the directory is no longer named by the one above; kCorruption when it or an entry
// in it is damaged; kUnavailable when the store does not answer: take it again; kFenced when
// another has taken it at the same moment, or it has another epoch than `only_from`.
Result<OwnedDirectory::Taken> TakeDirectory(ObjectStore& store, const DirectoryPlace& place,
                                            std::optional<DirectoryEpoch> only_from = std::nullopt);

// The same, only when it is shared and empty: kFenced when it has an owner, kInvalidArgument when
// it is not empty.
Result<OwnedDirectory::Taken> TakeEmptyShared(ObjectStore& store, const DirectoryPlace& place);

}  // namespace orrery::storage::rados
