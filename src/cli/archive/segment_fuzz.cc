// Files of archives come from anywhere: any bytes must give a segment or an error, and what was
// read must be written as the same bytes. So with the manifest within its file.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "cli/archive/manifest.h"
#include "cli/archive/segment.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto segment = cli::DecodeSegment(bytes); segment.has_value()) {
    const auto again = cli::DecodeSegment(cli::EncodeSegment(*segment));
    if (!again.has_value() || *again != *segment) std::abort();
  }
  if (const auto document = cli::DecodeDocumentFile(bytes); document.has_value()) {
    if (cli::EncodeDocumentFile(*document) != bytes) std::abort();
  }
  // Without the checksum, which chance would never find.
  const auto document = model::DocumentView::FromBson(bytes);
  if (!document.has_value()) return 0;
  if (const auto manifest = cli::ManifestFrom(*document); manifest.has_value()) {
    const auto again = cli::ManifestFrom(cli::ToDocument(*manifest));
    if (!again.has_value() || *again != *manifest) std::abort();
  }
  return 0;
}
