// Scripts of clients, and stored scripts: any bytes must be refused or read back the same.
#include <cstdint>
#include <optional>
#include <string_view>

#include "api/sql/script/definition/script_set_codec.h"
#include "base/check.h"
#include "model/document/json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto document = model::ParseJson(text);
  if (!document.has_value()) return 0;
  sql::ScriptSet scripts;
  for (const sql::ScriptKind kind :
       {sql::ScriptKind::kProcedure, sql::ScriptKind::kTrigger, sql::ScriptKind::kFunction}) {
    auto definition = sql::ParseDefinition(kind, *document);
    if (definition.has_value()) {
      ORRERY_CHECK(scripts.Create(*std::move(definition), Micros(1)).has_value());
    }
  }
  const std::optional<model::Document> stored = sql::WithScripts(*document, scripts);
  ORRERY_CHECK(sql::ReadScripts(stored) == scripts);
  const auto read = sql::ReadScripts(*document);
  if (read.has_value()) ORRERY_CHECK(sql::ReadScripts(sql::WithScripts({}, *read)) == *read);
  return 0;
}
