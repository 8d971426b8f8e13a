// orrery-history: checks whether a recorded history of reads and writes is linearizable, key by
// key. Exits 0 when it is, 1 with what is not, 2 when the history cannot be read, 3 when some keys
// could not be decided within the limits.
#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <string_view>

#include "history/history_checker.h"
#include "history/history_file.h"

namespace orrery::history {
namespace {

constexpr std::string_view kUsage =
    "usage: orrery-history FILE\n"
    "  FILE has one operation a line as JSON, - is standard input:\n"
    "  {\"process\":1,\"op\":\"write\",\"key\":\"k\",\"value\":\"v\",\"invoked\":10,"
    "\"completed\":20,\"outcome\":\"ok\"}\n"
    "  op: read, write, cas (with \"expected\"), append, delete; outcome: ok, mismatch (of a cas), "
    "fail (had no effect),\n"
    "  unknown (no \"completed\"). value null is nothing. A key holds nothing at first.\n";

enum ExitCode { kHolds = 0, kViolated = 1, kUnreadable = 2, kUndecided = 3 };

int Main(int argc, char** argv) {
  const std::string_view name = argc == 2 ? argv[1] : "";
  if (name.empty() || (name.starts_with("-") && name != "-")) {
    std::cerr << kUsage;
    return name == "--help" ? kHolds : kUnreadable;
  }
  std::ifstream file;
  if (name != "-") {
    file.open(argv[1], std::ios::binary);
    if (!file) {
      std::cerr << fmt::format("orrery-history: {} cannot be read\n", name);
      return kUnreadable;
    }
  }
  const auto operations = ReadHistory(name == "-" ? std::cin : file);
  if (!operations.has_value()) {
    std::cerr << fmt::format("orrery-history: {}: {}\n", name, operations.error().message());
    return kUnreadable;
  }
  const HistoryReport report = CheckHistory(*operations);
  std::cout << ToText(report);
  if (!report.violations.empty()) return kViolated;
  return report.undecided.empty() ? kHolds : kUndecided;
}

}  // namespace
}  // namespace orrery::history

int main(int argc, char** argv) { return orrery::history::Main(argc, argv); }
