#include "cli/chart/axis.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace orrery::cli {

std::vector<double> RoundMarks(double highest, int steps_max) {
  if (!(highest > 0) || !std::isfinite(highest)) return {0, 1};
  const double least_step = highest / steps_max;
  const double power = std::pow(10, std::floor(std::log10(least_step)));
  double step = 10 * power;
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least_step * (1 - 1e-9)) {
      step = factor * power;
      break;
    }
  }
  std::vector<double> marks{0};
  for (int i = 1; marks.back() < highest * (1 - 1e-9); ++i) marks.push_back(i * step);
  return marks;
}

std::vector<Micros> TimeMarks(Micros duration, int steps_max) {
  using std::chrono::hours;
  using std::chrono::minutes;
  using std::chrono::seconds;
  constexpr std::array<Micros, 18> kSteps{
      seconds(1), seconds(5),    seconds(15),    minutes(1),     minutes(5),     minutes(15),
      hours(1),   hours(2),      hours(3),       hours(6),       hours(12),      hours(24),
      hours(48),  hours(24 * 5), hours(24 * 15), hours(24 * 30), hours(24 * 90), hours(24 * 365)};
  Micros step = kSteps.back();
  for (const Micros candidate : kSteps) {
    if (duration / candidate <= steps_max) {
      step = candidate;
      break;
    }
  }
  while (duration / step > steps_max) step *= 2;
  std::vector<Micros> marks;
  for (Micros mark{0}; mark <= duration; mark += step) marks.push_back(mark);
  return marks;
}

std::string TimeLabel(Micros mark, const std::vector<Micros>& marks) {
  using std::chrono::days;
  using std::chrono::hours;
  using std::chrono::minutes;
  using std::chrono::seconds;
  if (mark == Micros(0)) return "0";
  const Micros step = marks[1];  // there is a mark beside 0
  if (step >= days(1)) return fmt::format("{}d", mark / days(1));
  if (step >= hours(1)) return fmt::format("{}h", mark / hours(1));
  if (step >= minutes(1)) return fmt::format("{}m", mark / minutes(1));
  return fmt::format("{}s", mark / seconds(1));
}

std::string ShortNumber(double number) {
  constexpr std::array kLetters{"", "k", "M", "G", "T", "P"};
  size_t letter = 0;
  while (std::fabs(number) >= 999.5 && letter + 1 < kLetters.size()) {
    number /= 1000;
    ++letter;
  }
  const bool whole = std::fabs(number - std::round(number)) < 0.005 || std::fabs(number) >= 99.5;
  std::string text = whole ? fmt::format("{:.0f}", number) : fmt::format("{:.3g}", number);
  return text + kLetters[letter];
}

}  // namespace orrery::cli
