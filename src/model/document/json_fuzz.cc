// Bytes that ParseJson accepts must become valid BSON, and its own JSON must parse to the same
// document.
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "model/document/document.h"
#include "model/document/json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery::model;
  const auto document = ParseJson({reinterpret_cast<const char*>(data), size});
  if (!document.has_value()) return 0;
  ORRERY_CHECK(DocumentView::FromBson(document->bson()).has_value());
  const std::string text = ToJson(*document);
  const auto again = ParseJson(text);
  ORRERY_CHECK(again.has_value());
  ORRERY_CHECK(ToJson(*again) == text);
  return 0;
}
