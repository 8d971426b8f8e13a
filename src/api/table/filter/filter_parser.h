// Parses $filter, the condition of a query (filter.h has the grammar). Pure.
#pragma once

#include <memory>
#include <string_view>

#include "api/table/filter/filter.h"
#include "api/table/protocol/error_response.h"

namespace orrery::table {

inline constexpr size_t kFilterBytesMax = size_t{32} << 10;
inline constexpr uint32_t kFilterDepthMax = 200;

// Null for a text of blanks: every entity is wanted. InvalidInput says what is malformed and where.
Outcome<std::unique_ptr<Filter>> ParseFilter(std::string_view text);

}  // namespace orrery::table
