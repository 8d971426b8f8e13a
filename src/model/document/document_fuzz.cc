// Any bytes that pass validation must be safe to read, to copy and to print.
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "model/document/document.h"
#include "model/document/document_builder.h"
#include "model/document/json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery::model;
  const auto view = DocumentView::FromBson({reinterpret_cast<const char*>(data), size});
  if (!view.has_value()) return 0;
  const Document copy = ToDocument(view->ToObject());
  ORRERY_CHECK(DocumentView::FromBson(copy.bson()).has_value());
  ORRERY_CHECK(ToJson(copy) == ToJson(*view));
  return 0;
}
