// Messages come from other nodes, of which one may be broken or of another release: any bytes must
// give a message or an error, and a message must survive being written again. The first byte says
// which codec.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "gateway/remote/codec/recode_testing.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery;
  if (size == 0) return 0;
  const gateway::Recode recode = gateway::kRecoders[data[0] % gateway::kRecoders.size()];
  const auto once = recode({reinterpret_cast<const char*>(data) + 1, size - 1});
  if (!once.has_value()) return 0;
  const auto twice = recode(*once);
  if (!twice.has_value() || *twice != *once) std::abort();
  return 0;
}
