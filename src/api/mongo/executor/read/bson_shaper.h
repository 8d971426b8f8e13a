// A BsonShaper gives stored documents as they are: their BSON, in a value of kind binary, so that
// nothing is decoded that the query does not look at.
//
// Immutable, so thread-safe.
#pragma once

#include "api/mongo/catalog/document_form.h"
#include "query/source/document_shaper.h"

namespace orrery::mongo {

class BsonShaper final : public query::DocumentShaper {
 public:
  explicit BsonShaper(DocumentForm form) : form_(form) {}

  bool reads_document() const override { return true; }
  model::Value Shape(const item::ScannedItem& item) const override;

 private:
  const DocumentForm form_;
};

}  // namespace orrery::mongo
