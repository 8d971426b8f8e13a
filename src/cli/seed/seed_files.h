// The files of a seed directory: which of them there are, for which API, and where their content
// goes. Names say it all:
//
//   containers.yaml                            databases, containers, collections, tables, graphs
//   NAME.cql, anywhere                         CQL statements
//   DATABASE/CONTAINER.json .ndjson .csv       documents of a container of the SQL API
//   DATABASE/GRAPH.gremlin                     traversals over a graph
//   mongo/DATABASE/COLLECTION.json .ndjson .csv   documents of a collection, as extended JSON
//   cassandra/KEYSPACE/TABLE.json .ndjson .csv    rows
//   tables/TABLE.json .ndjson .csv                entities
//   sql/..., gremlin/...                       as without that folder
//   any/DATABASE/COLLECTION.bson, .metadata.json  what mongodump writes
//
// DATABASE.CONTAINER.json stands for DATABASE/CONTAINER.json. JavaScript files (.js, which
// containers.yaml names), text (.md, .txt) and hidden files are passed over; any other is an error.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"

namespace orrery::cli {

inline constexpr size_t kSeedFilesMax = 100'000;
inline constexpr size_t kSeedFileBytesMax = size_t{4} << 30;

// In the order in which they are loaded.
enum class SeedKind : uint8_t {
  kContainers,
  kCql,
  kDump,  // of a MongoDB collection
  kDocuments,
  kCollection,
  kRows,
  kEntities,
  kGremlin,
};

struct SeedFile {
  SeedKind kind = SeedKind::kContainers;
  std::string path{};       // to open it by
  std::string shown{};      // below the directory, for messages
  std::string database{};   // or keyspace
  std::string container{};  // collection, table, graph
  friend bool operator==(const SeedFile&, const SeedFile&) = default;
};

// kNotFound: no such directory, or nothing in it; kInvalidArgument: a file that is none of the
// above.
Result<std::vector<SeedFile>> FindSeedFiles(const std::string& directory);

// All of a file. kNotFound, kForbidden, kTooLarge, with its name.
Result<std::string> ReadSeedFile(const SeedFile& file);

}  // namespace orrery::cli
