// Reads entities out of JSON, as clients send them: properties with values, and their types where
// JSON does not say them ("X@odata.type").
//
// Without a type a whole number is an Int32, any other number a Double. Null values are left out,
// and so are Timestamp and whatever begins with "odata.". Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/table/entity/edm_value.h"
#include "api/table/protocol/error_response.h"
#include "model/document/document.h"

namespace orrery::table {

struct Property {
  std::string name;
  EdmValue value;
};

struct EntityBody {
  std::optional<std::string> partition_key;
  std::optional<std::string> row_key;
  std::vector<Property> properties;  // without the keys
};

// Checks every limit on one entity but that on the whole (StoredEntity).
Outcome<EntityBody> ReadEntity(std::string_view json);

// The document that stores the entity under these keys; with `ttl_s` it expires so long after the
// write. EntityTooLarge beyond the limit.
Outcome<model::Document> StoredEntity(std::string_view partition_key, std::string_view row_key,
                                      const EntityBody& body, std::optional<int32_t> ttl_s);

}  // namespace orrery::table
