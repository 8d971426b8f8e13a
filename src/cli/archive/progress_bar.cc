#include "cli/archive/progress_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <utility>

namespace orrery::cli {
namespace {

constexpr int kBarWidth = 20;
constexpr int kPercentsPerLine = 10;  // where lines stay

}  // namespace

ProgressBar::ProgressBar(std::ostream& out, bool terminal, std::string label, uint64_t total)
    : out_(out), terminal_(terminal), label_(std::move(label)), total_(total) {}

int ProgressBar::Percent() const {
  if (total_ == 0) return 0;
  return static_cast<int>(static_cast<double>(std::min(done_, total_)) * 100.0 /
                          static_cast<double>(total_));
}

std::string ProgressBar::Line() const {
  if (total_ == 0) return fmt::format("{}  {} items", label_, done_);
  const auto filled = static_cast<size_t>(Percent() * kBarWidth / 100);
  return fmt::format("[{}{}] {:3} %  {}  {} of {} items", std::string(filled, '#'),
                     std::string(kBarWidth - filled, '.'), Percent(), label_, done_, total_);
}

void ProgressBar::Advance(uint64_t items) {
  done_ += items;
  if (terminal_) {
    if (total_ != 0 && Percent() == shown_) return;
    shown_ = Percent();
    out_ << "\r" << Line() << std::flush;
    return;
  }
  const int step = Percent() / kPercentsPerLine;
  if (step <= shown_ || step == 0 || done_ >= total_) return;
  shown_ = step;
  out_ << Line() << std::endl;
}

void ProgressBar::Finish() { out_ << (terminal_ ? "\r" : "") << Line() << std::endl; }

}  // namespace orrery::cli
