#include "api/table/auth/grant.h"

#include <algorithm>

#include "net/http/http_message.h"

namespace orrery::table {
namespace {

struct Need {
  std::string_view resource_types;  // one of these
  std::string_view permissions;     // all of these
  std::string_view alternative{};   // or this one
};

Need NeedOf(Operation operation) {
  switch (operation) {
    case Operation::kGetServiceProperties:
    case Operation::kGetServiceStats:
      return {"s", "r"};
    case Operation::kSetServiceProperties:
      return {"s", "w"};
    case Operation::kQueryTables:
    case Operation::kGetTable:
      return {"sc", "l", "r"};
    case Operation::kCreateTable:
      return {"c", "c", "w"};
    case Operation::kDeleteTable:
      return {"c", "d"};
    case Operation::kQueryEntities:
    case Operation::kGetEntity:
      return {"o", "r"};
    case Operation::kInsertEntity:
      return {"o", "a"};
    case Operation::kReplaceEntity:
    case Operation::kMergeEntity:
      return {"o", "u"};
    case Operation::kInsertOrReplaceEntity:
    case Operation::kInsertOrMergeEntity:
      return {"o", "au"};
    case Operation::kDeleteEntity:
      return {"o", "d"};
    case Operation::kBatch:  // each of its operations is checked
      return {"o", ""};
    case Operation::kGetAcl:
    case Operation::kSetAcl:
      break;
  }
  return {"", ""};
}

bool HasAll(std::string_view permissions, std::string_view needed) {
  return std::ranges::all_of(
      needed, [&](char each) { return permissions.find(each) != std::string_view::npos; });
}

}  // namespace

bool KeyScope::Contains(std::string_view partition_key, std::string_view row_key) const {
  if (first_partition_key.has_value()) {
    if (partition_key < *first_partition_key) return false;
    if (partition_key == *first_partition_key && first_row_key.has_value() &&
        row_key < *first_row_key)
      return false;
  }
  if (last_partition_key.has_value()) {
    if (partition_key > *last_partition_key) return false;
    if (partition_key == *last_partition_key && last_row_key.has_value() && row_key > *last_row_key)
      return false;
  }
  return true;
}

Outcome<void> Grant::Check(Operation operation, std::string_view on) const {
  if (!may_write && !IsRead(operation) && operation != Operation::kBatch) {
    return Refuse(ErrorCode::kAuthorizationFailure,
                  "This request is not authorized to perform this operation: the key that it is "
                  "signed with is read-only.");
  }
  if (!is_sas) return {};
  const Need need = NeedOf(operation);
  if (need.resource_types.empty()) return Refuse(ErrorCode::kAuthorizationFailure);
  if (is_account_sas) {
    if (resource_types.find_first_of(need.resource_types) == std::string::npos)
      return Refuse(ErrorCode::kAuthorizationResourceTypeMismatch);
  } else {
    if (need.resource_types != "o") return Refuse(ErrorCode::kAuthorizationFailure);
    if (operation != Operation::kBatch && !net::EqualsIgnoringCase(on, table))
      return Refuse(ErrorCode::kAuthenticationFailed);
  }
  const bool has_alternative = !need.alternative.empty() && HasAll(permissions, need.alternative);
  if (!HasAll(permissions, need.permissions) && !has_alternative)
    return Refuse(ErrorCode::kAuthorizationPermissionMismatch);
  return {};
}

Outcome<void> Grant::CheckEntity(std::string_view partition_key, std::string_view row_key) const {
  if (!is_sas || keys.Contains(partition_key, row_key)) return {};
  return Refuse(ErrorCode::kAuthorizationFailure);
}

}  // namespace orrery::table
