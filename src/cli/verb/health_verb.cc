#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <ostream>
#include <string>
#include <thread>

#include "cli/connection_flags.h"
#include "cli/verb/verb.h"

namespace orrery::cli {
namespace {

constexpr std::chrono::milliseconds kHealthPause{50};

class HealthVerb final : public Verb {
 public:
  std::string_view name() const override { return "health"; }
  std::string_view summary() const override {
    return "exit 0 if the server answers on all its ports, 1 if it does not";
  }
  std::string_view examples() const override {
    return "  orrery health                 for health checks of containers and load balancers\n"
           "  orrery health --wait 30       waits up to 30 seconds for a server that starts\n"
           "\n"
           "No key is needed.";
  }

  void DefineFlags(CLI::App& app) override {
    connection_.Define(app);
    app.add_option("--wait", wait_seconds_, "how long to wait for a healthy server (default 0)")
        ->type_name("SECONDS")
        ->check(CLI::Range(0.0, 3600.0));
  }

  Status Run(Console& console) override {
    ORRERY_ASSIGN(AdminClient client, connection_.Connect(console));
    const auto end = std::chrono::steady_clock::now() +
                     std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                         std::chrono::duration<double>(wait_seconds_));
    for (;;) {
      const Result<std::string> health = client.Health();
      if (health.has_value()) {
        console.out << (connection_.json() ? *health : fmt::format("{} is healthy", client.url()))
                    << "\n";
        return {};
      }
      if (std::chrono::steady_clock::now() >= end) return Fail(health.error());
      std::this_thread::sleep_for(kHealthPause);
    }
  }

 private:
  ConnectionFlags connection_;
  double wait_seconds_ = 0;
};

}  // namespace

std::unique_ptr<Verb> MakeHealthVerb() { return std::make_unique<HealthVerb>(); }

}  // namespace orrery::cli
