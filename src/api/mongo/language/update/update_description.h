// An UpdateDescription says what an update has changed in a document, in the form of change
// streams: which paths have new values, which are gone, which arrays were cut.
//
// Of operators it follows from the paths that they changed, so that the same update always has the
// same description; of a pipeline it is the difference of the two documents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/mongo/language/update/update.h"
#include "model/document/document.h"
#include "model/value.h"

namespace orrery::mongo {

struct UpdateDescription {
  model::Fields updated;             // by dotted path
  std::vector<std::string> removed;  // dotted paths
  struct Truncation {
    std::string field;
    int32_t new_size = 0;
  };
  std::vector<Truncation> truncated;
};

// Describes what operators did at `touched`, the paths that they changed, in their order.
UpdateDescription DescribeOperators(const model::Value& before, const model::Value& after,
                                    const std::vector<TouchedPath>& touched);

// Describes the difference of two documents; nullopt if that is no smaller than the new document,
// which then counts as replaced.
std::optional<UpdateDescription> DescribeDifference(const model::Value& before,
                                                    const model::Value& after);

}  // namespace orrery::mongo
