#include "server/random_key.h"

#include <sys/random.h>

#include "gateway/account/base64.h"

namespace orrery::server {
namespace {

constexpr size_t kKeyBytes = 64;

}  // namespace

Result<std::string> RandomKey() {
  std::string bytes(kKeyBytes, '\0');
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    return Fail(Code::kInternal, "the system gives no random numbers");
  return gateway::ToBase64(bytes);
}

}  // namespace orrery::server
