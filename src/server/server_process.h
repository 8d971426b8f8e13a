// The process around a server, for the verbs that run one (`serve`, `run`): its limits and signals
// before the first thread starts, and its end however long stopping takes.
#pragma once

#include <csignal>
#include <cstddef>
#include <thread>

#include "cli/settings/server_settings.h"

namespace orrery::server {

struct PreparedProcess {
  sigset_t end_signals;     // SIGTERM, SIGINT, SIGHUP: blocked in every thread, for sigwait
  mode_t former_umask = 0;  // before the store's files became readable by their owner alone
};

// Sets the log level, the limit of open files and the mask of new files, and blocks the signals
// that end the process.
// REQUIRES: called from the main thread before any other thread was started.
PreparedProcess PrepareProcess(const cli::ServerSettings& settings);

// Returns the limit of open files of this process, at most a million: more is never needed.
size_t OpenFilesMax();

// Ends the process at once. For a server that has stopped but for scripts that do not end.
[[noreturn]] void EndWithoutScripts(int exit_code);

// Ends the process with `exit_code` if the returned thread is not stopped within ten seconds. What
// was acknowledged is in the logs by then, as it is when the process is killed.
std::jthread GuardStop(int exit_code);

}  // namespace orrery::server
