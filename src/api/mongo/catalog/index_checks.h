// Checks that a document fits the indexes of a collection: what MongoDB refuses to index, it
// refuses to store.
//
// Pure. Duplicates are not looked for here, and documents that a partial index leaves out fit it.
#pragma once

#include <span>

#include "api/mongo/catalog/collection.h"
#include "api/mongo/catalog/index_spec.h"
#include "api/mongo/error/mongo_error.h"
#include "model/document/document.h"

namespace orrery::mongo {

// kCannotIndexParallelArrays for arrays at two fields of one key, 16766 for one at a hashed field,
// 16755 and others for what is no place, and the errors of CheckTexts.
Outcome CheckIndexKeys(const Collection& collection, model::DocumentView document);
// The same of one index.
Outcome CheckIndexKeys(const Collection& collection, const IndexSpec& index,
                       model::DocumentView document);

// Returns whether there are documents that do not fit the index.
bool MayRefuseDocuments(const IndexSpec& index);

}  // namespace orrery::mongo
