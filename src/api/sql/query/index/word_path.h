// How an index of words serves a query: FULLTEXTCONTAINS and its kin are true only of texts that
// have certain words, and the index has the documents of each word.
//
// Of a phrase one word is looked for, the longest, which few texts are likely to have. What is
// found is still to be checked: the other words, their order, and texts of too many words
// (model/text/index_words.h).
//
// Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/sql/query/index/access_path.h"

namespace orrery::sql {

// That the text there has at least one of the words.
struct WordCondition {
  Place place;
  std::vector<std::string> words;
};

// Of all conditions that the query's WHERE joins by AND.
std::vector<WordCondition> WordConditionsOf(const ast::Query& reader,
                                            const PredicateContext& context);

// By the condition with the fewest words that an index serves; nothing when none does.
std::optional<IndexPath> WordPathOf(const std::vector<WordCondition>& conditions,
                                    const item::ContainerSchema& schema);

}  // namespace orrery::sql
