// Reads arbitrary text as a resume token: what is read can be written and read again.
#include <cstdint>
#include <string>

#include "api/mongo/executor/stream/resume_token.h"
#include "base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto read = orrery::mongo::ResumeToken::Decode(text);
  if (!read.has_value()) return 0;
  const auto again = orrery::mongo::ResumeToken::Decode(read->Encode());
  ORRERY_CHECK(again.has_value() && again->Encode() == read->Encode());
  return 0;
}
