#include "server/server_process.h"

#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <stop_token>

#include "base/log.h"
#include "base/statement_book.h"

namespace orrery::server {
namespace {

// From the signal to the end of the process, whatever runs.
constexpr std::chrono::milliseconds kStopTimeMax{9'500};

// Table files of many partitions need many descriptors.
void RaiseOpenFileLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

// Ends the process when stopping takes too long, because a script or a query does not listen.
void EndLate(const std::stop_token& stopped, int exit_code) {
  std::mutex mutex;
  std::condition_variable_any wakeup;
  std::unique_lock lock(mutex);
  wakeup.wait_for(lock, stopped, kStopTimeMax, [] { return false; });
  if (stopped.stop_requested()) return;
  LogError("some work has not ended within {} ms: the process ends without it",
           kStopTimeMax.count());
  _exit(exit_code);
}

}  // namespace

PreparedProcess PrepareProcess(const cli::ServerSettings& settings) {
  PreparedProcess process{};
  SetLogLevel(settings.log_level);
  SetLogFormat(settings.log_format);
  SetRequestLog(settings.request_log);
  SetStatementBook(settings.statements);
  RaiseOpenFileLimit();
  // The store's files are readable by their owner alone, wherever they are.
  process.former_umask = umask(S_IRWXG | S_IRWXO);
  std::signal(SIGPIPE, SIG_IGN);
  sigemptyset(&process.end_signals);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&process.end_signals, signal);
  pthread_sigmask(SIG_BLOCK, &process.end_signals, nullptr);
  return process;
}

size_t OpenFilesMax() {
  constexpr rlim_t kEnough = 1'000'000;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return kEnough;
  return std::min(limit.rlim_cur, kEnough);  // RLIM_INFINITY is the largest number
}

void EndWithoutScripts(int exit_code) {
  LogWarn("some scripts have not ended: the process ends without them");
  std::fflush(nullptr);
  _exit(exit_code);
}

std::jthread GuardStop(int exit_code) { return std::jthread(EndLate, exit_code); }

}  // namespace orrery::server
