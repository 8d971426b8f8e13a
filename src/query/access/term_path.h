// Chooses a full-text index for a query: conditions on words are true only of texts that have
// certain terms, and the index has the documents of each term.
//
// The documents found are still to be checked: the other words of a phrase, their order, and texts
// of too many words (model/text/indexed_terms.h).
//
// Pure.
#pragma once

#include <optional>
#include <vector>

#include "query/access/index_path.h"
#include "query/predicate/conditions.h"

namespace orrery::query {

// Returns the path by the condition with the fewest terms that an index serves; nullopt if none
// does.
std::optional<IndexPath> TermPathOf(const std::vector<TermCondition>& conditions,
                                    const item::ContainerSchema& schema);

// Returns the path by the container's index of terms with weights; nullopt if it has none.
std::optional<IndexPath> SearchPathOf(const SearchCondition& condition,
                                      const item::ContainerSchema& schema);

}  // namespace orrery::query
