// The JavaScript half of the server-side API: getContext(), Collection, Request, Response and the
// shorthand `__`, over the functions that CollectionHost gives to it.
//
// It is the source of one function of the host object (script/host.h).
#pragma once

#include <string>

namespace orrery::sql {

// Its name in stack traces: frames that no author of a script wants to see.
inline constexpr const char* kPreludeName = "prelude";

std::string PreludeSource();

}  // namespace orrery::sql
