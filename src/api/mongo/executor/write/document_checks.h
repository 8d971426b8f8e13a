// Checks documents before they are stored, whatever command brings them. Pure.
#pragma once

#include "api/mongo/catalog/collection.h"
#include "api/mongo/error/mongo_error.h"
#include "model/document/document.h"

namespace orrery::mongo {

// kInvalidIdField, kDollarPrefixedFieldName for an `_id` that cannot be one.
Outcome CheckId(const model::ElementView& id);

// kShardKeyNotFound for a shard key that is an array or lies in one.
Outcome CheckShardKey(const Collection& collection, model::DocumentView document);

// Makes a document ready to be inserted: `_id` in front (`made` if it has none), checked, in stored
// form. `validates`: against the collection's validator.
Answer<model::Document> PrepareInsert(const Collection& collection, model::DocumentView document,
                                      const model::Value& made, bool validates,
                                      size_t document_bytes_max);

}  // namespace orrery::mongo
