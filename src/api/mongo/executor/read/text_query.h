// Binds the $text of a filter to the text index of the collection that is read.
#pragma once

#include <memory>

#include "api/mongo/catalog/collection.h"
#include "api/mongo/language/match/matcher.h"
#include "api/mongo/language/match/text_search.h"

namespace orrery::mongo {

// Null for a filter without $text. 27 without such an index; 291 for a hidden one, and for one that
// begins with fields that the filter does not fix; 2 for a language that does not exist.
Answer<std::shared_ptr<const TextSearch>> BindText(const Collection& collection,
                                                   const Matcher* filter);

// Returns whether documents can match only by the $text: it is no branch of an $or.
bool DemandsText(const Matcher& filter);

// Returns whether a projection, an order or a stage asks for {$meta: name} somewhere within.
bool AsksForMeta(model::DocumentView document, std::string_view name);
// 40218 if it asks for "textScore" and the filter, which may be null, has no $text.
Outcome CheckTextScore(model::DocumentView asking, const Matcher* filter);

}  // namespace orrery::mongo
