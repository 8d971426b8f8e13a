#include "query/source/group_shaper.h"

#include <string>

#include "model/path/set_at.h"

namespace orrery::query {

model::Value GroupShaper::Shape(const item::ScannedItem& item) const {
  return item.document.view().ToObject();
}

model::Value GroupKeyShaper::Shape(const item::ScannedItem& item) const {
  model::Value document = model::Value::Object({});
  for (size_t i = 0; i < paths_.size(); ++i) {
    model::Value key = item.document.view().Get(std::to_string(i));
    if (!key.is_undefined()) model::SetAt(document, paths_[i].steps(), std::move(key));
  }
  return document;
}

}  // namespace orrery::query
