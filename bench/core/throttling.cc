// A container of 1,000 RU/s driven at five times its rate, alone and beside a second tenant.
#include <fmt/core.h>

#include <atomic>
#include <thread>
#include <vector>

#include "core/fixture.h"
#include "core/sections.h"

namespace orrery::bench {
namespace {

struct Driven {
  std::atomic<int64_t> used_hundredths{0};
  std::atomic<uint64_t> admitted{0};
  std::atomic<uint64_t> refused{0};
  std::atomic<uint64_t> without_retry_after{0};
  std::atomic<uint64_t> other_errors{0};
};

// Sends writes at a fixed rate, whatever becomes of them.
void Drive(gateway::Gateway& gateway, const gateway::ContainerRef& container, double per_second,
           double seconds, Driven& result) {
  std::atomic<uint64_t> outstanding{0};
  const double start = Now();
  uint64_t sent = 0;
  for (double now = Now(); now - start < seconds; now = Now()) {
    const auto due = static_cast<uint64_t>((now - start) * per_second);
    for (; sent < due; ++sent) {
      ++outstanding;
      gateway.Write(UpsertRequest(container, sent, 1'000),
                    [&](const gateway::WriteResponse& response) {
                      if (response.status.has_value()) {
                        ++result.admitted;
                        result.used_hundredths += response.charge.hundredths();
                      } else if (response.status.error().code() == Code::kThrottled) {
                        ++result.refused;
                        if (response.status.error().retry_after_ms() == 0)
                          ++result.without_retry_after;
                      } else {
                        ++result.other_errors;
                      }
                      --outstanding;
                    });
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  while (outstanding > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

std::string Row(std::string_view name, const Driven& driven, double provisioned, double seconds) {
  const double used = static_cast<double>(driven.used_hundredths) / 100;
  return fmt::format("| {} | {:.0f} | **{:.1f} %** | {} | {} | {} |\n", name, used,
                     100 * used / (provisioned * seconds), driven.admitted.load(),
                     driven.refused.load(), driven.other_errors + driven.without_retry_after);
}

}  // namespace

std::string BenchThrottling(const BenchOptions& options) {
  const double seconds = options.quick ? 2 : 10;
  Fixture fixture({.directory = options.directory + "/throttling", .limits = {}});
  const auto one = fixture.MakeContainer("one", 1'000, false);
  const auto two = fixture.MakeContainer("two", 1'000, false);
  std::string text = fmt::format(
      "## Throttling\n1,000 RU/s, upserts of 1 KB sent at five times the rate for {:.0f} s. Goal: "
      "97-103 % of the RU, the rest refused with "
      "retry-after; a second tenant is not disturbed.\n\n"
      "| tenant | RU used | of provisioned | admitted | refused | other errors, or no retry-after "
      "|\n|---|---|---|---|---|---|\n",
      seconds);
  // About 5 RU a write: 1,000 writes/s ask for five times the rate.
  Driven alone;
  Drive(fixture.gateway(), one, 1'000, seconds, alone);
  text += Row("alone at 5x", alone, 1'000, seconds);

  Driven noisy;
  Driven calm;
  std::thread neighbour([&] { Drive(fixture.gateway(), one, 1'000, seconds, noisy); });
  Drive(fixture.gateway(), two, 100, seconds, calm);
  neighbour.join();
  text += Row("noisy at 5x", noisy, 1'000, seconds);
  text += Row("calm neighbour at 0.5x", calm, 1'000, seconds);
  return text;
}

}  // namespace orrery::bench
