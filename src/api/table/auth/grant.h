// A Grant is what the bearer of a key or a shared access signature may do. A value; thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/table/protocol/error_response.h"
#include "api/table/protocol/operation.h"

namespace orrery::table {

// The entities from (first_partition_key, first_row_key) to (last_partition_key, last_row_key),
// both included; each part may be left out.
struct KeyScope {
  std::optional<std::string> first_partition_key{};
  std::optional<std::string> first_row_key{};
  std::optional<std::string> last_partition_key{};
  std::optional<std::string> last_row_key{};

  bool Contains(std::string_view partition_key, std::string_view row_key) const;
  bool is_limited() const {
    return first_partition_key.has_value() || first_row_key.has_value() ||
           last_partition_key.has_value() || last_row_key.has_value();
  }
};

struct Grant {
  bool may_write = true;  // the key that was used is not a read-only one
  std::string account{};  // that was used
  // Of a shared access signature.
  bool is_sas = false;
  bool is_account_sas = false;
  std::string permissions{};     // letters of raud..., of either kind
  std::string resource_types{};  // letters of sco, of an account SAS
  std::string table{};           // of a table SAS, in any case of letters
  KeyScope keys{};

  // AuthorizationFailure and its relatives, by what is missing. `table` is empty where the
  // operation is on none.
  Outcome<void> Check(Operation operation, std::string_view table) const;
  // Returns whether an operation may touch this entity.
  Outcome<void> CheckEntity(std::string_view partition_key, std::string_view row_key) const;
};

}  // namespace orrery::table
