// Definitions of containers of any content: settings that can be shown and changed to what was
// shown, or an error.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "api/sql/container/container_form.h"
#include "base/check.h"
#include "model/document/document_builder.h"
#include "model/document/json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery;
  const auto body = model::ParseJson({reinterpret_cast<const char*>(data), size});
  if (!body.has_value()) return 0;
  auto settings = sql::NewContainer(*body, Micros(0));
  if (!settings.has_value()) {
    ORRERY_CHECK(settings.error().code() == Code::kInvalidArgument);
    return 0;
  }
  gateway::ContainerEntry entry;
  entry.id = ContainerId(1);
  entry.database = DatabaseId(1);
  entry.settings = *std::move(settings);
  const model::Value seen = sql::SeenContainer(entry);
  ORRERY_CHECK(sql::ChangedContainer(entry, model::ToDocument(seen), Micros(0)).has_value());
  return 0;
}
