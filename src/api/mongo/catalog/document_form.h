// A DocumentForm says how documents of containers that other APIs made look to MongoDB's clients,
// and how they are stored.
//
// Clients of this API know documents by `_id`. Documents of other APIs have `id`, a string, as
// their row key: they are shown with an `_id` of the same value in front, unless they have an `_id`
// of their own, and are stored without it. Typed values stay as they are in both directions.
#pragma once

#include "api/mongo/error/mongo_error.h"
#include "model/document/document.h"
#include "model/value.h"

namespace orrery::mongo {

// A DocumentForm says which API's documents a container has.
enum class DocumentForm : uint8_t {
  kMongo,   // `_id` is the row key
  kCapped,  // `_id` is the row key, and a number comes before all fields (capped_form.h)
  kOther,   // `id` is the row key, a string
};

// Returns whether the form is of this API's own containers.
constexpr bool IsOwnForm(DocumentForm form) { return form != DocumentForm::kOther; }

// The document as clients of this API see it.
model::Document ToMongoForm(model::DocumentView stored, DocumentForm form);
// The document as it is stored, without the number of a capped collection. kBadValue if it has no
// row key then.
Answer<model::Document> ToStoredForm(model::Document document, DocumentForm form);

// The row key of a document as clients see it; undefined if it has none.
model::Value RowKeyOf(model::DocumentView document, DocumentForm form);

// The document with its `_id` in front: with `made` if it has none.
model::Document WithIdFirst(model::DocumentView document, const model::Value& made);

}  // namespace orrery::mongo
