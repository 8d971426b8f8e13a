// A CursorId names a cursor that a CursorRegistry keeps. Always positive; 0 is no cursor.
#pragma once

#include <cstdint>

#include "base/ids.h"

namespace orrery::query {

using CursorId = StrongId<struct CursorIdTag, int64_t>;

}  // namespace orrery::query
