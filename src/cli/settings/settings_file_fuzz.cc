// Settings files of any content: settings or an error that names the line.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "cli/byte_size.h"
#include "cli/settings/settings_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)orrery::cli::ParseSettingsFile(text);
  (void)orrery::cli::ParseByteSize(text);
  return 0;
}
