// orrery-bench core [section...] [--quick] [--dir DIR]: measures the core in this process and
// prints Markdown to stdout.
#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/log.h"
#include "core/sections.h"

namespace {

using Section = std::pair<std::string_view, std::string (*)(const orrery::bench::BenchOptions&)>;
constexpr Section kSections[] = {
    {"writes", orrery::bench::BenchWrites},    {"reads", orrery::bench::BenchPointReads},
    {"split", orrery::bench::BenchSplitPause}, {"footprint", orrery::bench::BenchFootprint},
    {"spread", orrery::bench::BenchSpread},    {"throttling", orrery::bench::BenchThrottling},
};

int Usage() {
  fmt::print(stderr, "usage: orrery-bench core [--quick] [--dir DIR] [section...]\nsections:");
  for (const auto& [name, run] : kSections) fmt::print(stderr, " {}", name);
  fmt::print(stderr, "\n");
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  orrery::bench::BenchOptions options{.directory = "build/bench-data"};
  std::vector<std::string_view> wanted;
  if (argc < 2 || std::strcmp(argv[1], "core") != 0) return Usage();
  for (int i = 2; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--quick") {
      options.quick = true;
    } else if (word == "--dir" && i + 1 < argc) {
      options.directory = argv[++i];
    } else if (word.starts_with("-")) {
      return Usage();
    } else {
      wanted.push_back(word);
    }
  }
  orrery::SetLogLevel(orrery::LogLevel::kWarn);
  int ran = 0;
  for (const auto& [name, run] : kSections) {
    const bool chosen =
        wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end();
    if (!chosen) continue;
    fmt::print(stderr, "== {}\n", name);
    fmt::print("{}\n", run(options));
    std::fflush(stdout);
    ++ran;
  }
  return ran > 0 ? 0 : Usage();
}
