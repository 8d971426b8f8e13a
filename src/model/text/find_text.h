// Finds one text in another, in time that grows with the sum of their sizes: a query may bring
// both, so the plain search's product of sizes would be a way to hold up a server.
#pragma once

#include <cstddef>
#include <string_view>

namespace orrery::model {

// The first byte at or after `from`, or npos. An empty needle is found at once.
size_t FindText(std::string_view text, std::string_view needle, size_t from = 0);

// The last byte at which the needle begins, or npos.
size_t FindLastText(std::string_view text, std::string_view needle);

}  // namespace orrery::model
