// Records of the catalog come from the system store and, as parts of archives, from anywhere: any
// bytes must give an entry or an error, and an entry must survive being written again.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "gateway/archive/archive_catalog.h"
#include "gateway/catalog/catalog_codec.h"
#include "model/document/document.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto entry = gateway::DecodeDatabase(bytes); entry.has_value()) {
    const std::string once = gateway::EncodeDatabase(*entry);
    const auto again = gateway::DecodeDatabase(once);
    ORRERY_CHECK(again.has_value() && gateway::EncodeDatabase(*again) == once);
  }
  if (const auto entry = gateway::DecodeContainer(bytes); entry.has_value()) {
    const std::string once = gateway::EncodeContainer(*entry);
    const auto again = gateway::DecodeContainer(once);
    ORRERY_CHECK(again.has_value() && gateway::EncodeContainer(*again) == once);
  }
  if (const auto version = gateway::DecodeCatalogVersion(bytes); version.has_value())
    ORRERY_CHECK(gateway::DecodeCatalogVersion(gateway::EncodeCatalogVersion(*version)) ==
                 *version);

  const auto document = model::DocumentView::FromBson(bytes);
  if (!document.has_value()) return 0;
  if (const auto catalog = gateway::ArchivedCatalogFrom(*document); catalog.has_value()) {
    const model::Document once = gateway::ToDocument(*catalog);
    const auto again = gateway::ArchivedCatalogFrom(once);
    ORRERY_CHECK(again.has_value() && gateway::ToDocument(*again).bson() == once.bson());
  }
  (void)gateway::ArchivedDatabaseFrom(*document);
  (void)gateway::ArchivedContainerFrom(*document);
  return 0;
}
