// Finds which properties a normalised SQL statement names by equality, for advice on partition
// keys: a request that names a key's property stays in one partition. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace orrery::portal {

// "SELECT * FROM c WHERE c.customer = ? AND c.n > ?": {"/customer"}. Empty for a statement with OR,
// whose conditions need not hold, and for one that is not understood.
std::vector<std::string> EqualPathsOf(std::string_view statement);

}  // namespace orrery::portal
