#include "api/mongo/catalog/document_form.h"

#include <utility>

#include "api/mongo/catalog/capped_form.h"
#include "model/compare.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {
namespace {

// The document without the first field of that name.
model::Document Without(model::DocumentView document, std::string_view name) {
  model::DocumentBuilder builder;
  bool is_out = false;
  for (const model::ElementView field : document) {
    if (is_out || field.name() != name) {
      builder.Append(field.name(), field);
    } else {
      is_out = true;
    }
  }
  return std::move(builder).Finish();
}

}  // namespace

model::Document ToMongoForm(model::DocumentView stored, DocumentForm form) {
  if (form == DocumentForm::kCapped) {
    const bool has_number = SequenceOf(stored) != 0;
    return has_number ? Without(stored, kSequenceField)
                      : model::Document::Trusted(std::string(stored.bson()));
  }
  const auto id = form == DocumentForm::kMongo || stored.Find("_id").has_value()
                      ? std::nullopt
                      : stored.Find("id");
  if (!id.has_value()) return model::Document::Trusted(std::string(stored.bson()));
  model::DocumentBuilder builder;
  builder.Append("_id", *id);
  for (const model::ElementView field : stored) builder.Append(field.name(), field);
  return std::move(builder).Finish();
}

Answer<model::Document> ToStoredForm(model::Document document, DocumentForm form) {
  if (IsOwnForm(form)) return document;
  const model::Value key = RowKeyOf(document, form);
  if (key.kind() != model::Kind::kString || key.AsString().empty()) {
    return Refuse(ErrorCode::kBadValue,
                  "documents of this container need an 'id' or '_id' that is a non-empty string");
  }
  if (document.view().Find("id").has_value()) {
    const bool is_shown = document.view().Get("_id") == key;
    return is_shown ? Without(document, "_id") : std::move(document);
  }
  model::DocumentBuilder builder;
  builder.Append("id", key);
  for (const model::ElementView field : document.view()) {
    if (field.name() != "_id") builder.Append(field.name(), field);
  }
  return std::move(builder).Finish();
}

model::Value RowKeyOf(model::DocumentView document, DocumentForm form) {
  if (IsOwnForm(form)) return document.Get("_id");
  model::Value id = document.Get("id");
  return id.is_undefined() ? document.Get("_id") : id;
}

model::Document WithIdFirst(model::DocumentView document, const model::Value& made) {
  if (!document.empty() && (*document.begin()).name() == "_id")
    return model::Document::Trusted(std::string(document.bson()));
  model::DocumentBuilder builder;
  const auto id = document.Find("_id");
  if (id.has_value()) {
    builder.Append("_id", *id);
  } else {
    builder.Append("_id", made);
  }
  for (const model::ElementView field : document) {
    if (field.name() != "_id") builder.Append(field.name(), field);
  }
  return std::move(builder).Finish();
}

}  // namespace orrery::mongo
