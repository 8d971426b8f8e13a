// Shows how far a long piece of work is: a bar that moves on a terminal, elsewhere a line for each
// tenth.
//
// Not thread-safe. The stream must outlive it.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

namespace orrery::cli {

class ProgressBar {
 public:
  // `total` 0: not known; then only what is done is shown.
  ProgressBar(std::ostream& out, bool terminal, std::string label, uint64_t total);

  void Advance(uint64_t items);
  // The last line. Call once.
  void Finish();

  // "[#####.....]  50 % label 5 of 10 items"
  std::string Line() const;

 private:
  int Percent() const;

  std::ostream& out_;
  const bool terminal_;
  const std::string label_;
  const uint64_t total_;
  uint64_t done_ = 0;
  int shown_ = -1;  // what the last line said: percents, or tenths
};

}  // namespace orrery::cli
