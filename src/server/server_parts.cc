#include "server/server_parts.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "server/server_process.h"

namespace orrery::server {
namespace {

constexpr size_t kCommitThreads =
    2;  // each sequencer uses one at a time, mostly waiting for the disk
constexpr size_t kCommitQueueMax = 1 << 17;  // one entry per partition at most
constexpr size_t kIoQueueMax = 4'096;
// Threads that take the places of those with long queries and scripts.
constexpr size_t kIoStandInsMax = 64;
constexpr size_t kEventLoopsMax = 8;
// For the requests of all listeners together; serve.cc ends the process soon after.
constexpr std::chrono::milliseconds kDrainGrace{6'000};

}  // namespace

ServerParts::ServerParts(const cli::ServerSettings& settings, gateway::Accounts granted,
                         const Clock& machine_clock)
    : machine(machine_clock),
      test_clock(machine_clock),
      clock(test_clock),
      accounts(std::move(granted)),
      loops(std::make_unique<net::EventLoops>(
          std::clamp<size_t>(std::thread::hardware_concurrency(), 1, kEventLoopsMax))),
      clients(std::make_shared<net::ClientBudget>(net::ClientLimits::ForOpenFiles(OpenFilesMax()))),
      // Mutations that are submitted while others write are written together.
      commit_pool("commit", kCommitThreads, kCommitQueueMax, ThreadPriority::kPatient),
      io_pool("io", settings.io_threads, kIoQueueMax, ThreadPriority::kNormal, kIoStandInsMax),
      history(settings.history_bytes) {}

void ServerParts::Stop() {
  if (portal) portal->StartDraining();
  if (faults) faults->Stop();
  if (sampling) sampling->Stop();
  if (events) events->Stop();
  // While it still serves: then no request meets a partition that nobody has.
  if (member) member->HandOver();
  if (cluster_news) cluster_news->Stop();
  const auto end = std::chrono::steady_clock::now() + kDrainGrace;
  const auto grace = [end] {
    const auto left = end - std::chrono::steady_clock::now();
    return std::max(std::chrono::milliseconds(0),
                    std::chrono::duration_cast<std::chrono::milliseconds>(left));
  };
  if (http) http->Stop(grace());
  if (health) health->Stop(grace());
  if (portal) portal->Stop();
  if (sql_direct) sql_direct->Stop(grace());
  if (table_cosmos) table_cosmos->Stop(grace());
  if (table_storage) table_storage->Stop(grace());
  if (sql) sql->Stop();
  if (cassandra) cassandra->Stop(grace());
  if (mongo) mongo->Stop(grace());
  if (gremlin) gremlin->Stop(grace());
  if (maintenance) maintenance->Stop();
  if (member) member->StopServing();
  io_pool.Stop();
  if (core) core->Stop();
  if (member) member->Stop();
  loops->Stop();
}

}  // namespace orrery::server
