// The enumerations of the Gremlin language and the words that name their constants.
#pragma once

#include <optional>
#include <string_view>

#include "api/gremlin/value/value.h"

namespace orrery::gremlin {

// The constant of an unqualified word such as desc, local or single; nullopt if it is none.
std::optional<Value> BareConstant(std::string_view word);

// The constant `type`.`name`, such as T.id or Order.desc. Nullopt if the enumeration has no such
// constant. Constants of WithOptions and the like are the strings and numbers they stand for.
std::optional<Value> QualifiedConstant(std::string_view type, std::string_view name);

// Returns whether any enumeration, or holder of constants, has that name.
bool IsEnumeration(std::string_view type);

}  // namespace orrery::gremlin
