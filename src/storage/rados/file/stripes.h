// Functions on the stripes of a file: its stored length, and how to keep a former owner from making
// it longer.
//
// A writer fills several stripes at a time, so that after a crash a later one may be there while an
// earlier one is not full. A file ends where the first stripe that is not full ends: what a Sync
// has promised lies before that, as it waits for everything before.
//
// Stateless; thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/status.h"
#include "storage/rados/directory/directory_entry.h"
#include "storage/rados/object/object_store.h"

namespace orrery::storage::rados {

// The epoch under which a stripe may be written; the same name at a directory says who may change
// it.
inline constexpr const char* kEpochAttribute = "epoch";
std::string EpochText(DirectoryEpoch epoch);

// A writer has no more stripes than this on their way.
inline constexpr uint32_t kStripesInFlightMax = 4;

// The length of an open file, as its stripes are now.
Result<uint64_t> MeasureFile(ObjectStore& store, const FileEntry& file);

// From the return on no write of an owner before `epoch` to the file's stripes is taken, and the
// length is final: a write on its way either came before, and is counted, or is refused. Stripes
// that the former owner makes later lie behind the end: nobody reads them, they are garbage, and
// their maker hears so before it promises anything (FileWriter::Sync).
// REQUIRES: the directory has `epoch` already.
Result<uint64_t> SealFile(ObjectStore& store, const FileEntry& file, DirectoryEpoch epoch);

// Removes all stripes but the first, of a file whose first is gone. `stripes`: how many it had at
// most, when that is known.
Status RemoveStripes(ObjectStore& store, const FileId& file, std::optional<uint32_t> stripes);

// Returns the maximal number of objects of a closed file.
uint32_t StripeCount(const FileEntry& file);

}  // namespace orrery::storage::rados
