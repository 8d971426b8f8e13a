// A Tally is what one thread, and in the end all of them, saw of a run.
//
// `done` and the latencies cover the measured window only, after the warm-up; failures are counted
// from the first operation to the last, so that none is hidden by when it happened.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "load/latency_histogram.h"

namespace orrery::bench {

enum class OperationKind : uint8_t { kRead, kInsert, kQuery };
inline constexpr size_t kOperationKinds = 3;

struct Tally {
  // Of good answers to operations whose intended start lies in the window, from that start; and of
  // operations that were never sent, up to the end of the window.
  std::array<LatencyHistogram, kOperationKinds> latency;
  uint64_t done = 0;     // good answers that came inside the window
  uint64_t answers = 0;  // good ones, whenever they came
  uint64_t unsent = 0;   // due inside the window, but no connection ever had room

  double charge = 0;  // request units of all good answers, from servers that name them

  std::map<int32_t, uint64_t> errors;  // refusals by their code
  uint64_t wrong = 0;                  // answers that are not what was asked for
  uint64_t lost = 0;                   // without an answer: connection lost, or too slow at the end
  std::string first_problem;           // text of the first failure, for people

  uint64_t failures() const;
  void Merge(const Tally& other);
};

}  // namespace orrery::bench
