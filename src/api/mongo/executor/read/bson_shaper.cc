#include "api/mongo/executor/read/bson_shaper.h"

namespace orrery::mongo {

model::Value BsonShaper::Shape(const item::ScannedItem& item) const {
  if (form_ == DocumentForm::kMongo) return model::Value::Binary(item.document.bson());
  return model::Value::Binary(ToMongoForm(item.document, form_).bson());
}

}  // namespace orrery::mongo
