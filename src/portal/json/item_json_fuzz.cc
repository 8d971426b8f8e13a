// Request bodies from anybody: JSON to operations must give an operation or an error.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "model/document/json.h"
#include "portal/json/item_json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto document = orrery::model::ParseJson(text); document.has_value()) {
    (void)orrery::portal::OperationFrom(*document);
  }
  (void)orrery::portal::ParseEtag(text);
  return 0;
}
