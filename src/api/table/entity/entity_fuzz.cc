// Entities from clients: whatever the text, an answer; and what is read is stored and written
// again.
#include <cstdint>
#include <string>
#include <string_view>

#include "api/table/entity/entity_reader.h"
#include "api/table/entity/entity_writer.h"
#include "base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto entity = table::ReadEntity(text);
  if (!entity.has_value()) return 0;
  const auto stored = table::StoredEntity("p", "r", *entity, std::nullopt);
  if (!stored.has_value()) return 0;
  const table::EntityFormat format;
  std::string written;
  table::EntityWriter(format).AppendAlone(written, *stored, Micros(0));
  const auto again = table::ReadEntity(written);
  ORRERY_CHECK(again.has_value() && again->properties.size() == entity->properties.size());
  return 0;
}
