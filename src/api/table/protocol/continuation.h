// Writes and reads continuation tokens, which clients carry from one page to the next: the keys of
// the last entity that was examined, or the name of the last table.
//
//   token := kind "!" length "!" base64url(text)
//   kind  := "1" | "2"        2: the entities are read in the order of their keys, without an index
//
// Tokens name no partition: they hold after splits and restarts. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/table/protocol/error_response.h"

namespace orrery::table {

struct EntityPosition {
  std::string partition_key{};
  std::optional<std::string> row_key{};  // none: before the first of the partition
  bool is_scan = false;
};

std::string EncodeToken(std::string_view text, bool is_scan = false);
// InvalidInput for anything that EncodeToken does not write.
Outcome<std::string> DecodeToken(std::string_view token);

// `row_key` may be empty: none. REQUIRES: `partition_key` is not.
Outcome<EntityPosition> DecodeEntityPosition(std::string_view partition_key,
                                             std::string_view row_key);

}  // namespace orrery::table
