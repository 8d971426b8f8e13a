#include "load/tally.h"

namespace orrery::bench {

uint64_t Tally::failures() const {
  uint64_t sum = wrong + lost;
  for (const auto& [code, count] : errors) sum += count;
  return sum;
}

void Tally::Merge(const Tally& other) {
  for (size_t i = 0; i < kOperationKinds; ++i) latency[i].Merge(other.latency[i]);
  done += other.done;
  answers += other.answers;
  unsent += other.unsent;
  charge += other.charge;
  for (const auto& [code, count] : other.errors) errors[code] += count;
  wrong += other.wrong;
  lost += other.lost;
  if (first_problem.empty()) first_problem = other.first_problem;
}

}  // namespace orrery::bench
