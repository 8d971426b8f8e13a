#include "rados/program.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

#include "base/log.h"
#include "load/flags.h"
#include "rados/sections.h"

namespace orrery::bench {
namespace {

using RadosSection = std::pair<std::string_view, std::string (*)(const RadosBenchOptions&)>;
constexpr RadosSection kRadosSections[] = {
    {"appends", BenchAppends},
    {"commits", BenchCommits},
    {"opens", BenchOpens},
    {"stall", BenchStall},
};

int Usage(const FlagSet& flags) {
  fmt::print(stderr, "{}sections:", flags.Usage());
  for (const auto& [name, run] : kRadosSections) fmt::print(stderr, " {}", name);
  fmt::print(stderr, "\n");
  return 2;
}

}  // namespace

int RunRadosProgram(std::span<const std::string_view> words) {
  RadosBenchOptions options;
  options.store.name_space = fmt::format("bench.{}", getpid());
  FlagSet flags("usage: orrery-bench rados SECTION --conf CEPH_CONF [flags]");
  flags.AddText("--conf", options.store.conf, "ceph.conf of the cluster");
  flags.AddText("--user", options.store.user, "Ceph user");
  flags.AddText("--pool", options.store.pool, "pool; a namespace of it is filled and emptied");
  flags.AddReal("--seconds", options.seconds, 0.1, 3600, "length of each measurement");
  flags.AddText("--break", options.break_command,
                "stall: command that fails a part of the cluster");
  flags.AddText("--mend", options.mend_command, "stall: command that brings it back");
  flags.AddNumber("--times", options.times, 1, 10'000, "stall: how often");
  if (words.empty() || FlagSet::WantsHelp(words)) return Usage(flags);
  if (const Status parsed = flags.Parse(words.subspan(1)); !parsed.has_value()) {
    fmt::print(stderr, "{}\n", parsed.error().message());
    return Usage(flags);
  }
  SetLogLevel(LogLevel::kWarn);
  for (const auto& [name, run] : kRadosSections) {
    if (name != words.front()) continue;
    fmt::print("{}", run(options));
    return 0;
  }
  return Usage(flags);
}

}  // namespace orrery::bench
