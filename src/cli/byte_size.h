// Sizes as people write them: "64MB", "1.5 GiB", "4096".
//
// Units are powers of 1024 whatever their spelling (k, kb, kib, ...), upper or lower case: what
// they size is memory and file limits, where nobody means 1000.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace orrery::cli {

// A bare number counts in `bare_unit` bytes. kInvalidArgument when it is no size or exceeds 2^63.
Result<uint64_t> ParseByteSize(std::string_view text, uint64_t bare_unit = 1);

// The shortest form with at most one decimal: "0 B", "1.5 KB", "20 GB".
std::string FormatByteSize(uint64_t bytes);

}  // namespace orrery::cli
