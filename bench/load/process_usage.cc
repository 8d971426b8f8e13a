#include "load/process_usage.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace orrery::bench {
namespace {

// Fields of /proc/PID/stat, counted from the one behind the command's name (the third of proc(5)).
constexpr int kUserTicks = 11;
constexpr int kSystemTicks = 12;
constexpr int kResidentPages = 21;

}  // namespace

Result<ProcessUsage> ParseStat(std::string_view stat, const StatUnits& units) {
  // The command's name may hold spaces and parentheses: only its last one counts.
  const size_t name_end = stat.rfind(')');
  if (name_end == std::string_view::npos) {
    return Fail(Code::kInvalidArgument, "no process statistics");
  }
  std::istringstream fields{std::string(stat.substr(name_end + 1))};
  std::string field;
  ProcessUsage usage;
  int number = 0;
  for (; number <= kResidentPages && fields >> field; ++number) {
    if (number == kUserTicks || number == kSystemTicks) {
      usage.cpu_seconds += std::strtod(field.c_str(), nullptr) / units.ticks_per_second;
    } else if (number == kResidentPages) {
      usage.resident_bytes = std::strtoull(field.c_str(), nullptr, 10) * units.page_bytes;
    }
  }
  if (number <= kResidentPages) {
    return Fail(Code::kInvalidArgument, "process statistics end too early");
  }
  return usage;
}

Result<ProcessUsage> UsageOf(uint64_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  if (!file) return Fail(Code::kNotFound, fmt::format("there is no process {}", pid));
  const std::string stat{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return ParseStat(stat, {static_cast<double>(::sysconf(_SC_CLK_TCK)),
                          static_cast<uint64_t>(::sysconf(_SC_PAGESIZE))});
}

ProcessUsage UsageOfThisProcess() {
  return UsageOf(static_cast<uint64_t>(::getpid())).value_or(ProcessUsage{});
}

}  // namespace orrery::bench
