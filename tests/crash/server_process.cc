#include "crash/server_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <utility>

namespace orrery::crash {
namespace {

constexpr std::string_view kReadyWord = "Ready in";
constexpr std::string_view kAddress = "listens on 127.0.0.1:";

[[noreturn]] void BecomeServer(const ServerOptions& options, int output) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int log = open(options.log_file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  dup2(output, STDOUT_FILENO);
  if (log >= 0) dup2(log, STDERR_FILENO);
  std::vector<std::string> arguments = {
      options.program,    "serve", "--data", options.data_directory,
      "--sql-port",       "0",     "--tls",  "off",
      "--cassandra-port", "0"};
  arguments.insert(arguments.end(), options.arguments.begin(), options.arguments.end());
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  // Settings of whoever runs the test are not this server's.
  std::vector<char*> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!std::string_view(*variable).starts_with("ORRERY_")) variables.push_back(*variable);
  }
  variables.push_back(nullptr);
  execve(options.program.c_str(), pointers.data(), variables.data());
  _exit(127);
}

std::optional<uint16_t> PortIn(std::string_view text) {
  const size_t at = text.find(kAddress);
  if (at == text.npos) return std::nullopt;
  const std::string_view digits = text.substr(at + kAddress.size());
  uint16_t port = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (error != std::errc()) return std::nullopt;
  return port;
}

}  // namespace

Result<ServerProcess> ServerProcess::Start(const ServerOptions& options) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return Fail(Code::kUnavailable, "no pipe");
  const pid_t pid = fork();
  if (pid < 0) return Fail(Code::kUnavailable, "no process");
  if (pid == 0) BecomeServer(options, ends[1]);
  close(ends[1]);
  return ServerProcess(pid, ends[0]);
}

ServerProcess::~ServerProcess() { Release(); }

ServerProcess::ServerProcess(ServerProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), output_(std::exchange(other.output_, -1)) {}

ServerProcess& ServerProcess::operator=(ServerProcess&& other) noexcept {
  Release();
  pid_ = std::exchange(other.pid_, -1);
  output_ = std::exchange(other.output_, -1);
  return *this;
}

void ServerProcess::Release() {
  if (pid_ > 0) static_cast<void>(Kill());
  if (output_ >= 0) close(std::exchange(output_, -1));
}

Result<uint16_t> ServerProcess::Ready(std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  std::string said;
  while (said.find(kReadyWord) == said.npos) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    pollfd wait{.fd = output_, .events = POLLIN, .revents = 0};
    if (left.count() <= 0 || poll(&wait, 1, static_cast<int>(left.count())) == 0) {
      return Fail(Code::kUnavailable,
                  fmt::format("the server was not ready after {} ms", patience.count()));
    }
    char buffer[4096];
    const ssize_t size = read(output_, buffer, sizeof(buffer));
    if (size <= 0) return Fail(Code::kUnavailable, "the server ended while it started");
    said.append(buffer, static_cast<size_t>(size));
  }
  const auto port = PortIn(said);
  if (!port) return Fail(Code::kUnavailable, "the server does not say where it listens: " + said);
  return *port;
}

Status ServerProcess::Kill() {
  kill(pid_, SIGKILL);
  int status = 0;
  waitpid(std::exchange(pid_, -1), &status, 0);
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) return {};
  return Fail(Code::kInternal,
              fmt::format("the server ended by itself, with {} {}",
                          WIFSIGNALED(status) ? "signal" : "exit code",
                          WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status)));
}

}  // namespace orrery::crash
