#include "server/run_command.h"

#include <fmt/format.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>
#include <thread>
#include <utility>

#include "base/check.h"
#include "base/clock.h"
#include "base/log.h"
#include "server/endpoints.h"
#include "server/server.h"
#include "server/server_process.h"

namespace orrery::server {
namespace {

// As shells have them.
constexpr int kExitCannotExecute = 126;
constexpr int kExitCommandNotFound = 127;
constexpr int kExitSignalBase = 128;

using Variables = std::vector<std::pair<std::string, std::string>>;

// Returns this process's environment with `variables` in place of those of the same name.
std::vector<std::string> EnvironmentWith(const Variables& variables) {
  std::vector<std::string> entries;
  for (const auto& [name, value] : variables) entries.push_back(fmt::format("{}={}", name, value));
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string_view name = text.substr(0, text.find('='));
    bool is_replaced = false;
    for (const auto& variable : variables) is_replaced |= variable.first == name;
    if (!is_replaced) entries.emplace_back(text);
  }
  return entries;
}

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Starts the command with the signals and the file mask that this process was started with.
Result<pid_t> Spawn(std::vector<std::string> command, std::vector<std::string> environment,
                    const sigset_t& blocked, mode_t mask) {
  const std::vector<char*> arguments = Pointers(command);
  const std::vector<char*> variables = Pointers(environment);
  const pid_t pid = fork();
  if (pid < 0)
    return Fail(Code::kResourceExhausted,
                fmt::format("no process can be started: {}", std::strerror(errno)));
  if (pid > 0) return pid;
  // Only calls that are safe after a fork of a process with threads.
  umask(mask);
  std::signal(SIGPIPE, SIG_DFL);
  pthread_sigmask(SIG_UNBLOCK, &blocked, nullptr);
  execvpe(arguments[0], arguments.data(), variables.data());
  const int code = errno == ENOENT ? kExitCommandNotFound : kExitCannotExecute;
  for (const char* const part :
       {"orrery: '", static_cast<const char*>(arguments[0]),
        "' cannot be run: ", errno == ENOENT ? "no such command" : "not executable", "\n"}) {
    if (write(STDERR_FILENO, part, std::strlen(part)) < 0) break;
  }
  _exit(code);
}

// Waits for the command's end; passes on the signals that ask this process to end.
int Wait(pid_t pid, const sigset_t& awaited) {
  for (;;) {
    int signal = 0;
    sigwait(&awaited, &signal);
    if (signal == SIGTERM || signal == SIGHUP) kill(pid, signal);
    int status = 0;
    if (signal != SIGCHLD || waitpid(pid, &status, WNOHANG) != pid) continue;
    return WIFSIGNALED(status) ? kExitSignalBase + WTERMSIG(status) : WEXITSTATUS(status);
  }
}

}  // namespace

Result<int> RunCommand(const cli::ServerSettings& settings,
                       const std::vector<std::string>& command) {
  ORRERY_CHECK(!command.empty());
  const SystemClock clock;
  const PreparedProcess process = PrepareProcess(settings);
  sigset_t awaited = process.end_signals;
  sigaddset(&awaited, SIGCHLD);
  pthread_sigmask(SIG_BLOCK, &awaited, nullptr);

  std::jthread guard;  // until the server is destroyed
  ORRERY_ASSIGN(const auto server, Server::Start(settings, clock));
  const Endpoints endpoints = EndpointsOf(settings, *server);
  if (!settings.ready_file.empty()) ORRERY_TRY(WriteReadyFile(settings.ready_file, endpoints));
  ORRERY_ASSIGN(const pid_t pid, Spawn(command, EnvironmentWith(VariablesFor(endpoints)), awaited,
                                       process.former_umask));
  const int code = Wait(pid, awaited);
  guard = GuardStop(code);
  if (!settings.ready_file.empty()) unlink(settings.ready_file.c_str());
  server->Stop();
  if (server->has_lost_scripts()) EndWithoutScripts(code);
  return code;
}

}  // namespace orrery::server
