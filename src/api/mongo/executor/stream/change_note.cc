#include "api/mongo/executor/stream/change_note.h"

#include <utility>

#include "model/document/document_builder.h"

namespace orrery::mongo {
namespace {

void AppendImages(model::DocumentBuilder& note, const Collection& collection) {
  if (WantsImages(collection.options)) note.AppendBool("i", true);
}

model::Document OwnedNote(model::DocumentView view) {
  return model::Document::Trusted(std::string(view.bson()));
}

}  // namespace

std::string NoteOfUpdate(const Collection& collection, const Update& update,
                         model::DocumentView before, model::DocumentView after,
                         const std::vector<TouchedPath>& touched) {
  std::optional<UpdateDescription> description;
  // The description has views of these.
  const model::Value former = before.ToObject();
  const model::Value now = after.ToObject();
  if (update.is_pipeline()) {
    description = DescribeDifference(former, now);
  } else if (!update.is_replacement()) {
    description = DescribeOperators(former, now, touched);
  }
  model::DocumentBuilder note;
  note.AppendString("k", description.has_value() ? "u" : "r");
  if (description.has_value()) {
    note.OpenObject("set");
    for (const model::Field& field : description->updated) note.Append(field.name, field.value);
    note.Close();
    note.OpenArray("unset");
    for (size_t i = 0; i < description->removed.size(); ++i)
      note.AppendString(std::to_string(i), description->removed[i]);
    note.Close().OpenArray("cut");
    for (size_t i = 0; i < description->truncated.size(); ++i) {
      note.OpenObject(std::to_string(i)).AppendString("field", description->truncated[i].field);
      note.AppendInt32("newSize", description->truncated[i].new_size).Close();
    }
    note.Close();
  }
  AppendImages(note, collection);
  return std::move(std::move(note).Finish()).Release();
}

std::string NoteOfDelete(const Collection& collection) {
  model::DocumentBuilder note;
  note.AppendString("k", "d");
  AppendImages(note, collection);
  return std::move(std::move(note).Finish()).Release();
}

ChangeNote ReadChangeNote(std::string_view note) {
  ChangeNote read;
  const auto document = model::DocumentView::FromBson(note);
  if (note.empty() || !document.has_value()) return read;
  for (const model::ElementView field : *document) {
    const bool is_object = field.kind() == model::Kind::kObject;
    const bool is_array = field.kind() == model::Kind::kArray;
    if (field.name() == "k" && field.kind() == model::Kind::kString) {
      read.is_update = field.AsString() == "u";
    } else if (field.name() == "set" && is_object) {
      read.updated = OwnedNote(field.AsDocument());
    } else if (field.name() == "unset" && is_array) {
      read.removed = OwnedNote(field.AsDocument());
    } else if (field.name() == "cut" && is_array) {
      read.truncated = OwnedNote(field.AsDocument());
    } else if (field.name() == "i") {
      read.has_images = true;
    } else if (field.name() == "t" && is_object) {
      read.transaction = OwnedNote(field.AsDocument());
    }
  }
  return read;
}

}  // namespace orrery::mongo
