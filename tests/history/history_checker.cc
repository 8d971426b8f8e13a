#include "history/history_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "history/plain_checks.h"
#include "history/unobserved.h"
#include "history/violation_window.h"

namespace orrery::history {
namespace {

using KeyOperations = std::vector<const Operation*>;

void CheckKey(std::string_view key, const KeyOperations& operations, const SearchLimits& limits,
              HistoryReport& report) {
  const auto plain = CheckPlainly(operations);
  const KeyOperations searched = WithoutUnobserved(operations);
  RegisterModel model;
  const SearchResult result = SearchOrder(searched, model, kNothing, limits);
  if (plain.empty() && result.verdict == Verdict::kLinearizable) return;
  if (plain.empty() && result.verdict == Verdict::kTooConcurrent) {
    report.undecided.emplace_back(key);
    return;
  }
  Violation violation{.key = std::string(key), .what = {}, .operations = {}};
  for (const PlainViolation& each : plain) violation.what.push_back(each.what);
  if (result.verdict == Verdict::kViolated) {
    const Operation& culprit = *searched[result.culprit];
    violation.what.push_back(
        fmt::format("no order explains {} (process {}, completed at {}) together with all that "
                    "completed before it",
                    Describe(culprit), culprit.process, culprit.completed));
    violation.operations = FindWindow(searched, result.culprit);
  } else {
    violation.operations = plain.front().operations;
  }
  report.violations.push_back(std::move(violation));
}

std::string TimeText(uint64_t time) { return time == kNever ? "-" : fmt::to_string(time); }

// The operations as a table.
std::string TableOf(const std::vector<const Operation*>& operations) {
  constexpr std::string_view kCompleted = "COMPLETED";
  size_t width = kCompleted.size();
  for (const Operation* operation : operations)
    width = std::max(
        {width, TimeText(operation->invoked).size(), TimeText(operation->completed).size()});
  std::string text =
      fmt::format("  {:>7}  {:>{}}  {:>{}}  {:<8}  {:>7}  {}\n", "PROCESS", "INVOKED", width,
                  kCompleted, width, "OUTCOME", "LINE", "OPERATION");
  for (const Operation* operation : operations) {
    text += fmt::format("  {:>7}  {:>{}}  {:>{}}  {:<8}  {:>7}  {}\n", operation->process,
                        TimeText(operation->invoked), width, TimeText(operation->completed), width,
                        OutcomeName(operation->outcome),
                        operation->line == 0 ? "-" : fmt::to_string(operation->line),
                        Describe(*operation));
  }
  return text;
}

}  // namespace

HistoryReport CheckHistory(std::span<const Operation> operations, const SearchLimits& limits) {
  std::map<std::string_view, KeyOperations> by_key;
  for (const Operation& operation : operations) by_key[operation.key].push_back(&operation);
  HistoryReport report{
      .operations = operations.size(), .keys = by_key.size(), .violations = {}, .undecided = {}};
  for (const auto& [key, of_key] : by_key) CheckKey(key, of_key, limits, report);
  return report;
}

std::string ToText(const HistoryReport& report, size_t shown_max) {
  std::string text = fmt::format("{} operations on {} keys: ", report.operations, report.keys);
  if (report.holds()) return text + "every key is linearizable\n";
  text += fmt::format("{} keys violate linearizability, {} undecided\n", report.violations.size(),
                      report.undecided.size());
  for (const Violation& violation :
       std::span(report.violations).first(std::min(shown_max, report.violations.size()))) {
    text += fmt::format("\nkey \"{}\"\n", violation.key);
    for (const std::string& what : violation.what) text += fmt::format("  {}\n", what);
    text += TableOf(violation.operations);
  }
  for (const std::string& key :
       std::span(report.undecided).first(std::min(shown_max, report.undecided.size()))) {
    text += fmt::format(
        "\nkey \"{}\": too many operations overlap to search all orders; spread the load over more "
        "keys, or use fewer clients\n",
        key);
  }
  return text;
}

}  // namespace orrery::history
