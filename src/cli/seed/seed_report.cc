#include "cli/seed/seed_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "cli/text_table.h"

namespace orrery::cli {
namespace {

constexpr size_t kProblemsKeptMax = 1'000;

}  // namespace

void SeedReport::Add(std::string_view file, size_t line, std::string_view what) {
  const MutexLock lock(mutex_);
  ++problem_count_;
  if (problems_.size() < kProblemsKeptMax)
    problems_.push_back({std::string(file), line, std::string(what)});
}

void SeedReport::Done(std::string_view file, uint64_t count, std::string_view of) {
  const MutexLock lock(mutex_);
  item_count_ += count;
  if (progress_ == nullptr) return;
  progress_(fmt::format("{}: {} {}", file, GroupDigits(static_cast<double>(count)), of));
}

bool SeedReport::goes_on() const {
  if (interrupted_ != nullptr && interrupted_()) return false;
  const MutexLock lock(mutex_);
  return goes_on_ || problem_count_ == 0;
}

size_t SeedReport::error_count() const {
  const MutexLock lock(mutex_);
  return problem_count_;
}

uint64_t SeedReport::item_count() const {
  const MutexLock lock(mutex_);
  return item_count_;
}

std::string SeedReport::ErrorText() const {
  const MutexLock lock(mutex_);
  std::vector<Problem> sorted = problems_;
  std::ranges::sort(sorted, [](const Problem& a, const Problem& b) {
    return std::tie(a.file, a.line) < std::tie(b.file, b.line);
  });
  std::string text;
  const size_t shown = std::min(sorted.size(), kSeedErrorsShownMax);
  for (size_t i = 0; i < shown; ++i) {
    const Problem& problem = sorted[i];
    text += problem.line == 0
                ? fmt::format("{}: {}\n", problem.file, problem.what)
                : fmt::format("{}:{}: {}\n", problem.file, problem.line, problem.what);
  }
  if (problem_count_ > shown) text += fmt::format("and {} more\n", problem_count_ - shown);
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace orrery::cli
