#include "core/program.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "core/sections.h"

namespace orrery::bench {
namespace {

using Section = std::pair<std::string_view, std::string (*)(const BenchOptions&)>;
constexpr Section kSections[] = {
    {"writes", BenchWrites},       {"reads", BenchPointReads}, {"split", BenchSplitPause},
    {"footprint", BenchFootprint}, {"spread", BenchSpread},    {"throttling", BenchThrottling},
    {"scan", BenchFilteredScan},
};

int Usage() {
  fmt::print(stderr, "usage: orrery-bench core [--quick] [--dir DIR] [section...]\nsections:");
  for (const auto& [name, run] : kSections) fmt::print(stderr, " {}", name);
  fmt::print(stderr, "\n");
  return 2;
}

}  // namespace

int RunCoreProgram(std::span<const std::string_view> words) {
  BenchOptions options{.directory = "build/bench-data"};
  std::vector<std::string_view> wanted;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--quick") {
      options.quick = true;
    } else if (words[i] == "--dir" && i + 1 < words.size()) {
      options.directory = words[++i];
    } else if (words[i].starts_with("-")) {
      return Usage();
    } else {
      wanted.push_back(words[i]);
    }
  }
  SetLogLevel(LogLevel::kWarn);
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

}  // namespace orrery::bench
