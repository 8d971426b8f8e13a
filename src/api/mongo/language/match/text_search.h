// A TextSearch is a $text with the index that it searches: what documents are asked by.
#pragma once

#include "model/search/search_query.h"
#include "model/search/search_rules.h"

namespace orrery::mongo {

// Immutable once shared.
struct TextSearch {
  model::SearchRules rules;
  model::SearchQuery query;
};

}  // namespace orrery::mongo
