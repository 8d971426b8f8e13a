// Documents as they are stored, for tests of sources.
#pragma once

#include "query/source/document_shaper.h"

namespace orrery::query {

class AsStored final : public DocumentShaper {
 public:
  bool reads_document() const override { return true; }
  model::Value Shape(const item::ScannedItem& item) const override {
    return item.document.view().ToObject();
  }
};

}  // namespace orrery::query
