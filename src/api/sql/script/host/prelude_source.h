// The parts of the prelude, in the order in which they stand; each uses names of those before it.
#pragma once

#include <string_view>

namespace orrery::sql {

extern const std::string_view kErrorSource;    // Error with a number: `refuse`
extern const std::string_view kContextSource;  // Request, Response, Collection: `start`, `host`
extern const std::string_view kQuerySource;    // filter, map, chain().. on Collection
extern const std::string_view kGlobalsSource;  // what scripts find on the global object

}  // namespace orrery::sql
