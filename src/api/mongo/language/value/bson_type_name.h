// Names and numbers of BSON types as $type, error texts and conversions have them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "model/value.h"

namespace orrery::mongo {

// "int", "objectId"; "missing" for undefined, which is how expressions see an absent field.
std::string_view BsonTypeName(model::Kind kind);
// -1 for MinKey, 127 for MaxKey, 18 for int64.
int BsonTypeNumber(model::Kind kind);
// Returns nullopt for a name that is none; "number" is no type but four.
std::optional<model::Kind> KindOfTypeName(std::string_view name);
std::optional<model::Kind> KindOfTypeNumber(int64_t number);

}  // namespace orrery::mongo
