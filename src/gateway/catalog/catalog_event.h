// A CatalogEvent tells readers of change streams what became of a container of documents as a
// whole.
//
// Events are written in the commit of the change that they tell, and kept for a while: they are the
// catalog's part of the change feed. Their times come from the cluster clock, like those of writes.
//
//   "ev/" time_us:uint64 -> {"kind", "container", "database", "name", "toDatabase"?, "toName"?,
//                            "replaced"?, "note"?}
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/ids.h"
#include "base/status.h"
#include "model/document/document.h"

namespace orrery::gateway {

// Stored: never renumber one.
enum class CatalogEventKind : uint8_t {
  kCreate = 1,
  kDrop = 2,
  kRename = 3,
  kDropDatabase = 4,
  kUpdate = 5,  // its note says what was changed
};

struct CatalogEvent {
  Micros time{0};
  CatalogEventKind kind = CatalogEventKind::kCreate;
  ContainerId container{};  // 0 of a database
  std::string database{};
  std::string name{};
  std::string to_database{};  // of a rename
  std::string to_name{};
  ContainerId replaced{};  // by a rename: dropped in the same commit
  // The note of the API that made the change; opaque to the core.
  std::optional<model::Document> note{};
};

inline constexpr std::string_view kCatalogEventPrefix = "ev/";
std::string CatalogEventKey(Micros time);
std::string EncodeCatalogEvent(const CatalogEvent& event);
Result<CatalogEvent> DecodeCatalogEvent(std::string_view key, std::string_view value);

}  // namespace orrery::gateway
