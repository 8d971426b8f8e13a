// Histories of any content: operations or an error, and a verdict within small limits.
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

#include "history/history_checker.h"
#include "history/history_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery::history;
  std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
  const auto operations = ReadHistory(in);
  if (operations.has_value())
    (void)ToText(CheckHistory(*operations, {.tried_max = 1'000, .steps_max = 10'000}));
  return 0;
}
