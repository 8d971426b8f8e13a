#include "load/load_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace orrery::bench {
namespace {

constexpr std::string_view kKindNames[kOperationKinds] = {"read", "insert", "query"};
constexpr double kMegabyte = 1 << 20;

double Millis(LatencyHistogram::Duration duration) {
  return static_cast<double>(duration.count()) / 1e6;
}
double Micros(LatencyHistogram::Duration duration) {
  return static_cast<double>(duration.count()) / 1e3;
}
double Megabytes(uint64_t bytes) { return static_cast<double>(bytes) / kMegabyte; }

std::string FailureText(const Tally& tally, CodeText code_text) {
  std::vector<std::string> parts;
  for (const auto& [code, count] : tally.errors) {
    parts.push_back(fmt::format("{} x {}", code_text(code), count));
  }
  if (tally.wrong > 0) parts.push_back(fmt::format("wrong answers x {}", tally.wrong));
  if (tally.lost > 0) parts.push_back(fmt::format("no answer x {}", tally.lost));
  if (parts.empty()) return "none";
  return fmt::format("{}; first: {}", fmt::join(parts, ", "), tally.first_problem);
}

std::string LatencyText(std::string_view kind, const LatencyHistogram& latency) {
  return fmt::format(
      "{} latency, ms: p50 {:.3f}, p90 {:.3f}, p99 {:.3f}, p99.9 {:.3f}, max {:.3f}\n", kind,
      Millis(latency.Percentile(0.5)), Millis(latency.Percentile(0.9)),
      Millis(latency.Percentile(0.99)), Millis(latency.Percentile(0.999)), Millis(latency.max()));
}

std::string LatencyJson(const LatencyHistogram& latency) {
  return fmt::format(
      R"({{"count":{},"p50_us":{:.1f},"p90_us":{:.1f},"p99_us":{:.1f},"p999_us":{:.1f},"max_us":{:.1f}}})",
      latency.count(), Micros(latency.Percentile(0.5)), Micros(latency.Percentile(0.9)),
      Micros(latency.Percentile(0.99)), Micros(latency.Percentile(0.999)), Micros(latency.max()));
}

double ChargeOfOne(const Tally& tally) {
  return tally.answers > 0 ? tally.charge / static_cast<double>(tally.answers) : 0;
}

double PerCoreSecond(const LoadReport& load, const UsageInWindow& usage) {
  return usage.cpu_seconds > 0 ? static_cast<double>(load.tally.done) / usage.cpu_seconds : 0;
}

}  // namespace

std::string LoadText(const LoadReport& load, CodeText code_text) {
  const Tally& tally = load.tally;
  std::string text = fmt::format("throughput: {:.0f}/s\n", load.rate());
  for (size_t i = 0; i < kOperationKinds; ++i) {
    if (tally.latency[i].count() > 0) text += LatencyText(kKindNames[i], tally.latency[i]);
  }
  if (tally.charge > 0) {
    text += fmt::format("charge: {:.2f} request units each\n", ChargeOfOne(tally));
  }
  if (tally.unsent > 0) {
    text += fmt::format("never sent, for want of a free stream: {}\n", tally.unsent);
  }
  text += fmt::format("failures: {}\n", FailureText(tally, code_text));
  if (load.server) {
    text += fmt::format(
        "server: {:.2f} cores busy, {:.0f} operations per busy core second, {:.1f} MB, then {:.1f} "
        "MB\n",
        load.server->cpu_seconds / load.seconds, PerCoreSecond(load, *load.server),
        Megabytes(load.server->resident_bytes_before),
        Megabytes(load.server->resident_bytes_after));
  }
  text += fmt::format("client: {:.2f} cores busy\n", load.client.cpu_seconds / load.seconds);
  return text;
}

std::string LoadJson(const LoadReport& load, CodeText code_text) {
  const Tally& tally = load.tally;
  std::vector<std::string> fields = {fmt::format(R"("throughput":{:.1f})", load.rate()),
                                     fmt::format(R"("done":{})", tally.done),
                                     fmt::format(R"("unsent":{})", tally.unsent),
                                     fmt::format(R"("failures":{})", tally.failures())};
  for (size_t i = 0; i < kOperationKinds; ++i) {
    if (tally.latency[i].count() == 0) continue;
    fields.push_back(fmt::format(R"("{}":{})", kKindNames[i], LatencyJson(tally.latency[i])));
  }
  if (tally.charge > 0) fields.push_back(fmt::format(R"("charge":{:.2f})", ChargeOfOne(tally)));
  std::vector<std::string> errors;
  for (const auto& [code, count] : tally.errors) {
    errors.push_back(fmt::format(R"("{}":{})", code_text(code), count));
  }
  if (tally.wrong > 0) errors.push_back(fmt::format(R"("wrong":{})", tally.wrong));
  if (tally.lost > 0) errors.push_back(fmt::format(R"("lost":{})", tally.lost));
  fields.push_back(fmt::format(R"("errors":{{{}}})", fmt::join(errors, ",")));
  if (load.server) {
    fields.push_back(fmt::format(
        R"("server":{{"cpu_seconds":{:.2f},"per_core_second":{:.1f},"resident_bytes_before":{},"resident_bytes_after":{}}})",
        load.server->cpu_seconds, PerCoreSecond(load, *load.server),
        load.server->resident_bytes_before, load.server->resident_bytes_after));
  }
  fields.push_back(fmt::format(R"("client":{{"cpu_seconds":{:.2f}}})", load.client.cpu_seconds));
  return fmt::format("{}", fmt::join(fields, ","));
}

}  // namespace orrery::bench
