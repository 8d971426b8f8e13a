#include "server/service_manager.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace orrery::server {

void NotifyManager(std::string_view state) {
  const char* const named = std::getenv("NOTIFY_SOCKET");  // NOLINT(concurrency-mt-unsafe)
  if (named == nullptr) return;
  const std::string_view path = named;
  sockaddr_un address{};
  if (path.size() < 2 || path.size() >= sizeof address.sun_path) return;
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  if (path[0] == '@') address.sun_path[0] = '\0';  // of the abstract namespace
  const int file = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (file < 0) return;
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size());
  // Nobody to tell is as good as nobody who asks.
  [[maybe_unused]] const ssize_t sent = sendto(file, state.data(), state.size(), MSG_NOSIGNAL,
                                               reinterpret_cast<const sockaddr*>(&address), size);
  close(file);
}

}  // namespace orrery::server
