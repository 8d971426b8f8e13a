// The real server as a child process, which can be killed at any moment.
//
// Not thread-safe. The child is killed with this object, and with this process.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"

namespace orrery::crash {

struct ServerOptions {
  std::string program;
  std::string data_directory;
  std::string log_file;  // its stderr is appended there
  std::vector<std::string> arguments;
};

class ServerProcess {
 public:
  // Starts it; Ready() says when it answers.
  static Result<ServerProcess> Start(const ServerOptions& options);
  ~ServerProcess();
  ServerProcess(ServerProcess&& other) noexcept;
  ServerProcess& operator=(ServerProcess&& other) noexcept;

  // Waits for its word that it is ready and returns its port. kUnavailable when it ended before, or
  // took longer than `patience`.
  Result<uint16_t> Ready(std::chrono::milliseconds patience);

  // SIGKILL, and waits until it is gone. An error when it had ended by itself.
  Status Kill();

 private:
  ServerProcess(pid_t pid, int output) : pid_(pid), output_(output) {}
  void Release();

  pid_t pid_ = -1;
  int output_ = -1;  // its stdout
};

}  // namespace orrery::crash
