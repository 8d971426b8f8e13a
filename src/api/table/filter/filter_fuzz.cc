// $filter from clients: whatever the text, an answer; and what is parsed can be evaluated.
#include <cstdint>
#include <string_view>

#include "api/table/filter/filter_parser.h"
#include "api/table/filter/stored_properties.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto filter = table::ParseFilter(text); filter.has_value() && *filter != nullptr)
    (void)table::Holds(**filter, table::StoredProperties(model::DocumentView(), Micros(0)));
  return 0;
}
