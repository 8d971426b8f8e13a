#include "cql/report_text.h"

#include <fmt/format.h>

#include "load/load_text.h"

namespace orrery::bench {
namespace {

constexpr double kMegabyte = 1 << 20;

double Megabytes(uint64_t bytes) { return static_cast<double>(bytes) / kMegabyte; }

std::string ErrorCodeText(int32_t code) {
  return fmt::format("{:#06x}", static_cast<uint32_t>(code));
}

std::string IdleText(const IdleCost& idle) {
  if (idle.resident_bytes_after == 0) return fmt::format("{} idle connections\n", idle.connections);
  return fmt::format("{} idle connections: server {:.1f} MB, before {:.1f} MB\n", idle.connections,
                     Megabytes(idle.resident_bytes_after), Megabytes(idle.resident_bytes_before));
}

}  // namespace

std::string ReportText(const CqlOptions& options, const CqlReport& report) {
  std::string text;
  if (report.load) {
    text += fmt::format("{} x {} in flight, {}, {} keys, {} B values, {} s\n", options.connections,
                        options.in_flight, WorkloadName(options.workload), options.keys,
                        options.value_bytes, options.seconds);
    text += LoadText(*report.load, ErrorCodeText);
  }
  if (report.idle) text += IdleText(*report.idle);
  return text;
}

std::string ReportJson(const CqlOptions& options, const CqlReport& report) {
  std::string text = fmt::format(
      R"({{"workload":"{}","connections":{},"in_flight":{},"threads":{},"rate":{},"seconds":{},"keys":{},"value_bytes":{})",
      WorkloadName(options.workload), options.connections, options.in_flight, options.threads,
      options.rate, options.seconds, options.keys, options.value_bytes);
  if (report.load) text += "," + LoadJson(*report.load, ErrorCodeText);
  if (report.idle) {
    text += fmt::format(
        R"(,"idle":{{"connections":{},"resident_bytes_before":{},"resident_bytes_after":{}}})",
        report.idle->connections, report.idle->resident_bytes_before,
        report.idle->resident_bytes_after);
  }
  return text + "}\n";
}

}  // namespace orrery::bench
