// Tells the service manager that started this process (systemd: Type=notify) what its state is.
#pragma once

#include <string_view>

namespace orrery::server {

// Sends `state` ("READY=1") to the socket that NOTIFY_SOCKET names. Does nothing without one; a
// manager that does not listen is no error.
void NotifyManager(std::string_view state);

}  // namespace orrery::server
