// The named indexes of the core that stand for parts of an indexing policy: each has a name that
// says which part, so that a changed policy finds those that it had before.
//
// Pure.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "gateway/catalog/container_settings.h"
#include "model/path/path.h"
#include "model/value.h"

namespace orrery::sql {

// The prefix of the names of such indexes; others' differ. Stored.
inline constexpr std::string_view kCompositeName = "composite ";
inline constexpr std::string_view kFullTextName = "full text ";
inline constexpr std::string_view kSpatialName = "spatial ";
inline constexpr std::string_view kVectorName = "vector ";

// Says whether a path may name the elements of an array on its way ("/children/[]/age"): an index
// of values goes through arrays by itself.
enum class ArraySteps : uint8_t { kRefused, kPassed };

// The one place of documents that an entry's "path" names. `part` is the policy's, for errors.
Result<model::Path> PolicyPathOf(const model::Value& entry, std::string_view part,
                                 ArraySteps arrays = ArraySteps::kRefused);

// The named indexes of a container whose policy wants these: `known` ones that stand for no part
// of a policy, and the wanted, with the ids that they have there or new ones above `highest_id`.
std::vector<item::NamedIndex> WithPolicyIndexes(std::vector<item::NamedIndex> known,
                                                std::vector<item::NamedIndex> wanted,
                                                uint32_t highest_id);

}  // namespace orrery::sql
