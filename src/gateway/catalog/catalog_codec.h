// The catalog's records in the system store.
//
//   "db/" id:uint32  -> {"version": 1, "id", "name", "throughput"?, "highestThroughput"?,
//                        "extra"?}
//   "ct/" id:uint32  -> {"version": 1, "id", "database", "settings": {...}, "kind", "tenancy",
//                        "highestThroughput"?, "highestIndexId"?, "changes", "formerIndexing"?,
//                        "rowIndexesBuilding"?, "rowIndexesDropping"?, "droppedAt"?,
//                        "droppedFrom"?, "feedSince"?}
//
// Values are BSON; ids in keys are big-endian. docs/format/catalog.md has the fields and an
// example.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "gateway/catalog/catalog_entries.h"

namespace orrery::gateway {

inline constexpr std::string_view kDatabasePrefix = "db/";
inline constexpr std::string_view kContainerPrefix = "ct/";

std::string DatabaseRecordKey(DatabaseId id);
std::string ContainerRecordKey(ContainerId id);

std::string EncodeDatabase(const DatabaseEntry& entry);
std::string EncodeContainer(const ContainerEntry& entry);

// kCorruption when the bytes are damaged, kUnsupported when a newer version wrote them.
// The number of changes of the catalog; absent: none yet.
inline constexpr std::string_view kCatalogVersionKey = "cv";
std::string EncodeCatalogVersion(uint64_t version);
Result<uint64_t> DecodeCatalogVersion(std::string_view bytes);  // kCorruption

Result<DatabaseEntry> DecodeDatabase(std::string_view bytes);
// Without database_name, which is stored of dropped ones only, and schema.
Result<ContainerEntry> DecodeContainer(std::string_view bytes);

}  // namespace orrery::gateway
