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
        fmt::format("no order explains all: up to {} of process {}, completed at {}, there is one, "
                    "with it there is none",
                    Describe(culprit), culprit.process, culprit.completed));
    violation.operations = FindWindow(searched, result.culprit);
  } else {
    violation.operations = plain.front().operations;
  }
  report.violations.push_back(std::move(violation));
}

std::string Row(std::string_view process, std::string_view invoked, std::string_view completed,
                std::string_view outcome, std::string_view line, std::string_view what) {
  return fmt::format("  {:>8}  {:>20}  {:>20}  {:<8}  {:>8}  {}\n", process, invoked, completed,
                     outcome, line, what);
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
    text += Row("PROCESS", "INVOKED", "COMPLETED", "OUTCOME", "LINE", "OPERATION");
    for (const Operation* operation : violation.operations) {
      text +=
          Row(fmt::to_string(operation->process), fmt::to_string(operation->invoked),
              operation->completed == kNever ? "-" : fmt::to_string(operation->completed),
              OutcomeName(operation->outcome),
              operation->line == 0 ? "-" : fmt::to_string(operation->line), Describe(*operation));
    }
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
