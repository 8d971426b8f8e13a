// orrery-crash: kills a server at random moments under mixed load, again and again, and compares
// what is left with a model kept outside of it. Exits 0 when every cycle held, 1 with what did not.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <thread>

#include "crash/checker.h"
#include "crash/server_process.h"
#include "crash/workload.h"

namespace orrery::crash {
namespace {

// A fresh directory now and then: the beginnings of a server's life are tried as often as its age.
constexpr int kCyclesPerDirectory = 100;
constexpr int kThoroughEvery = 10;
constexpr int kPositionEvery = 4;
constexpr uint64_t kEarlyKillPercent = 10;
constexpr int kEarlyKillMsMax = 80;
// Some loads last long enough to meet the maintenance that a server does every second.
constexpr uint64_t kLongLoadPercent = 10;
constexpr double kLongLoadSeconds = 1;
constexpr int kProgressEvery = 50;
constexpr size_t kShownMax = 20;
constexpr std::chrono::milliseconds kStartPatience{30'000};

constexpr std::string_view kUsage =
    "usage: orrery-crash [--cycles N] [--seed S] [--seconds-per-cycle T] [--server PROGRAM] "
    "[--directory DIR] [--rados-conf FILE]\n"
    "  --cycles N              kills under load (default 10)\n"
    "  --seed S                of everything random but the scheduling (default: by the clock)\n"
    "  --seconds-per-cycle T   of load, on average (default 0.25)\n"
    "  --server PROGRAM        the server (default: orrery beside this program)\n"
    "  --directory DIR         where data is put; kept when a cycle fails (default: a temporary "
    "one)\n"
    "  --rados-conf FILE       the server is a node on this Ceph, in namespaces crash-N of its "
    "pool; "
    "what is in them stays\n";

struct Options {
  int cycles = 10;
  uint64_t seed = NowMicros();
  double seconds_per_cycle = 0.25;
  std::string server;
  std::string directory;
  std::string rados_conf;  // empty: on the local disk
};

// Small limits, so that partitions split by themselves under this little data.
const std::vector<std::string> kServerFlags = {"--limit-physical-partition",
                                               "48KB",
                                               "--limit-partition-rate",
                                               "100000",
                                               "--limit-rate",
                                               "10000000",
                                               "--log-level",
                                               "info",
                                               "--cache-mb",
                                               "16",
                                               "--memtable-mb",
                                               "16"};

std::vector<std::string> FlagsFor(const Options& options, const std::string& life) {
  std::vector<std::string> flags = kServerFlags;
  if (options.rados_conf.empty()) return flags;
  const std::vector<std::string> rados = {"--store",           "rados",        "--rados-conf",
                                          options.rados_conf,  "--peer-port",  "0",
                                          "--rados-namespace", "crash-" + life};
  flags.insert(flags.end(), rados.begin(), rados.end());
  return flags;
}

std::deque<ContainerModel> MakeModels() {
  constexpr std::string_view kKey = R"("partitionKey":{"paths":["/pk"]})";
  std::deque<ContainerModel> models;
  const auto add = [&](ContainerTraits traits, std::string_view more) {
    traits.settings = fmt::format(R"({{"id":"{}",{},{}}})", traits.name, kKey, more);
    models.emplace_back(std::move(traits));
  };
  add({.name = "versions",
       .settings = {},
       .keeps_versions = true,
       .expires = false,
       .own_partitions = true},
      R"("feedRetentionMinutes":5,"uniqueKeys":[["/token"]],"throughput":{"manual":100000})");
  add({.name = "latest",
       .settings = {},
       .keeps_versions = false,
       .expires = false,
       .own_partitions = true},
      R"("throughput":{"manual":200000})");
  add({.name = "expiring",
       .settings = {},
       .keeps_versions = false,
       .expires = true,
       .own_partitions = false},
      R"("defaultTtl":-1)");
  return models;
}

bool Chance(std::mt19937_64& random, uint64_t percent) { return random() % 100 < percent; }

// One data directory and the model of what should be in it.
class Life {
 public:
  Life(const Options& options, const std::filesystem::path& directory, WorkloadCounts& load,
       CheckCounts& checks)
      : server_options_{options.server, directory / "data", directory / "server.log",
                        FlagsFor(options, directory.filename())},
        mean_load_(options.seconds_per_cycle),
        containers_(MakeModels()),
        load_(load),
        checks_(checks) {}

  // Makes the containers.
  Status Begin() {
    ORRERY_TRY(Start());
    AdminClient admin(port_);
    ORRERY_TRY(admin.CreateDatabase());
    for (const ContainerModel& container : containers_) {
      const ContainerTraits& traits = container.traits();
      catalog_.Began(traits.name, true);
      ORRERY_TRY(admin.CreateContainer(traits.settings));
      catalog_.Ended(traits.name, true, Outcome::kAcknowledged);
      if (!traits.own_partitions) continue;
      ORRERY_ASSIGN(const int64_t throughput, admin.GetThroughput(traits.name));
      catalog_.ThroughputEnded(traits.name, throughput, Outcome::kAcknowledged);
    }
    return {};
  }

  // Load, a kill, a new start, and the comparison.
  Violations Cycle(uint64_t seed, int number) {
    std::mt19937_64 random(seed);
    {
      const Workload workload(port_, seed, fmt::format("c{}", number), containers_, catalog_,
                              load_);
      double seconds = std::uniform_real_distribution(0.0, 2 * mean_load_)(random);
      if (Chance(random, kLongLoadPercent)) seconds += kLongLoadSeconds;
      std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
      if (Status killed = server_->Kill(); !killed.has_value()) return {killed.error().ToString()};
    }
    if (Chance(random, kEarlyKillPercent)) {
      auto early = ServerProcess::Start(server_options_);
      if (!early.has_value()) return {early.error().ToString()};
      std::this_thread::sleep_for(std::chrono::milliseconds(random() % kEarlyKillMsMax));
      if (Status killed = early->Kill(); !killed.has_value()) return {killed.error().ToString()};
    }
    if (Status started = Start(); !started.has_value()) return {started.error().ToString()};
    AdminClient admin(port_);
    Violations violations =
        ServerChecker(admin, checks_).Run(containers_, catalog_, number % kThoroughEvery == 0);
    if (violations.empty() && number % kPositionEvery == 0) TakePositions(admin, violations);
    return violations;
  }

 private:
  Status Start() {
    ORRERY_ASSIGN(ServerProcess process, ServerProcess::Start(server_options_));
    server_.emplace(std::move(process));
    ORRERY_ASSIGN(port_, server_->Ready(kStartPatience));
    return {};
  }

  // Positions from which the next cycles' feeds go on.
  void TakePositions(AdminClient& admin, Violations& violations) {
    for (ContainerModel& container : containers_) {
      if (container.traits().expires) continue;
      auto read = admin.ReadFeed(container.traits().name, "latest", "");
      if (!read.has_value()) {
        violations.push_back(read.error().ToString());
        return;
      }
      container.latest_position = std::move(read->continuation);
      container.latest_position_state = container.history().before;
    }
  }

  const ServerOptions server_options_;
  const double mean_load_;
  std::deque<ContainerModel> containers_;
  CatalogModel catalog_;
  WorkloadCounts& load_;
  CheckCounts& checks_;
  std::optional<ServerProcess> server_;
  uint16_t port_ = 0;
};

bool ParseOptions(int argc, char** argv, Options& options) {
  options.server =
      std::filesystem::read_symlink("/proc/self/exe").replace_filename("orrery").string();
  for (int i = 1; i < argc; i += 2) {
    const std::string_view name = argv[i];
    if (i + 1 == argc) return false;
    const char* value = argv[i + 1];
    if (name == "--cycles") {
      options.cycles = std::atoi(value);
    } else if (name == "--seed") {
      options.seed = std::strtoull(value, nullptr, 10);
    } else if (name == "--seconds-per-cycle") {
      options.seconds_per_cycle = std::atof(value);
    } else if (name == "--server") {
      options.server = value;
    } else if (name == "--directory") {
      options.directory = value;
    } else if (name == "--rados-conf") {
      options.rados_conf = value;
    } else {
      return false;
    }
  }
  return options.cycles > 0 && options.seconds_per_cycle > 0;
}

std::string MakeDirectory(const Options& options) {
  if (!options.directory.empty()) {
    std::filesystem::create_directories(options.directory);
    return options.directory;
  }
  std::string pattern = (std::filesystem::temp_directory_path() / "orrery-crash-XXXXXX").string();
  return mkdtemp(pattern.data()) == nullptr ? std::string() : pattern;
}

int Failed(const Options& options, int cycle, const std::string& directory,
           const Violations& violations) {
  fmt::print("cycle {} of seed {} failed, data and log are in {}:\n", cycle, options.seed,
             directory);
  for (size_t i = 0; i < std::min(violations.size(), kShownMax); ++i)
    fmt::print("  {}\n", violations[i]);
  if (violations.size() > kShownMax) fmt::print("  and {} more\n", violations.size() - kShownMax);
  return 1;
}

int Run(const Options& options) {
  const std::string directory = MakeDirectory(options);
  const auto began = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  };
  fmt::print("orrery-crash: {} cycles, seed {}\n", options.cycles, options.seed);
  WorkloadCounts load;
  CheckCounts checks;
  std::optional<Life> life;
  std::string place;
  for (int cycle = 1; cycle <= options.cycles; ++cycle) {
    if ((cycle - 1) % kCyclesPerDirectory == 0) {
      life.reset();
      if (!place.empty()) std::filesystem::remove_all(place);
      place = fmt::format("{}/{}", directory, cycle);
      std::filesystem::create_directories(place);
      life.emplace(options, place, load, checks);
      if (Status made = life->Begin(); !made.has_value())
        return Failed(options, cycle, place, {made.error().ToString()});
    }
    const Violations violations =
        life->Cycle(options.seed * 1'000'003 + static_cast<uint64_t>(cycle), cycle);
    if (!violations.empty()) return Failed(options, cycle, place, violations);
    if (cycle % kProgressEvery == 0) {
      fmt::print("cycle {}: {:.0f} s, {} writes acknowledged, {} unknown, {} splits, {} merges\n",
                 cycle, seconds(), load.acknowledged.load(), load.unknown.load(),
                 load.splits.load(), load.merges.load());
      std::fflush(stdout);
    }
  }
  life.reset();
  std::filesystem::remove_all(directory);
  fmt::print(
      "{} kills in {:.0f} s: {} writes acknowledged, {} refused, {} of unknown outcome, {} reads, "
      "{} splits, "
      "{} merges, {} catalog changes by command; {} items, {} feed entries and {} ranges compared, "
      "counts right within {:.1f} s; none wrong\n",
      options.cycles, seconds(), load.acknowledged.load(), load.refused.load(), load.unknown.load(),
      load.reads.load(), load.splits.load(), load.merges.load(), load.catalog_changes.load(),
      checks.items, checks.changes, checks.ranges,
      std::chrono::duration<double>(checks.counting_max).count());
  return 0;
}

}  // namespace
}  // namespace orrery::crash

int main(int argc, char** argv) {
  orrery::crash::Options options;
  if (!orrery::crash::ParseOptions(argc, argv, options)) {
    fmt::print(stderr, "{}", orrery::crash::kUsage);
    return 2;
  }
  return orrery::crash::Run(options);
}
