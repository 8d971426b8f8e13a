// A LoadProgram is one program of orrery-bench that drives a server: flags in, a report out.
#pragma once

#include <fmt/core.h>
#include <fmt/format.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"
#include "load/flags.h"
#include "load/load_run.h"
#include "load/load_text.h"

namespace orrery::bench {

template <typename Options>
struct LoadProgram {
  std::string_view name;
  Result<Options> (*parse)(std::span<const std::string_view> words);
  std::string (*usage)();
  // No report when only a setup was asked for.
  Result<std::optional<LoadReport>> (*measure)(const Options& options);
  std::string (*headline)(const Options& options);     // the first line of the report
  std::string (*json_fields)(const Options& options);  // the settings, without braces
  CodeText code_text;
};

// Returns the exit code: 2 for wrong flags, 1 when an operation failed. REQUIRES: Options has
// `json`.
template <typename Options>
int RunLoadProgram(const LoadProgram<Options>& program, std::span<const std::string_view> words) {
  if (FlagSet::WantsHelp(words)) {
    fmt::print("{}", program.usage());
    return 0;
  }
  const auto options = program.parse(words);
  if (!options.has_value()) {
    fmt::print(stderr, "{}: {}\n{}", program.name, options.error().message(), program.usage());
    return 2;
  }
  const auto measured = program.measure(*options);
  if (!measured.has_value()) {
    fmt::print(stderr, "{}: {}\n", program.name, measured.error().message());
    return 1;
  }
  const std::optional<LoadReport>& report = *measured;
  if (options->json) {
    fmt::print("{{{}{}{}}}\n", program.json_fields(*options), report ? "," : "",
               report ? LoadJson(*report, program.code_text) : "");
  } else if (report) {
    fmt::print("{}\n{}", program.headline(*options), LoadText(*report, program.code_text));
  }
  const bool failed = report && report->tally.failures() > 0;
  if (failed) fmt::print(stderr, "{}: {}\n", program.name, report->tally.first_problem);
  return failed ? 1 : 0;
}

}  // namespace orrery::bench
