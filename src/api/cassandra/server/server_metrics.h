// What the CQL server counts. Made once at start, used by every connection; connections themselves
// are counted by their listener.
//
// Thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "api/cassandra/protocol/error_code.h"
#include "api/cassandra/protocol/opcode.h"
#include "base/byte_budget.h"
#include "base/metrics.h"

namespace orrery::cassandra {

class ServerMetrics {
 public:
  // `metrics` must outlive it.
  // `requests`: where their bytes are counted.
  ServerMetrics(MetricsRegistry& metrics, std::shared_ptr<const ByteBudget> requests);

  void CountRequest(Opcode opcode) { requests_[static_cast<uint8_t>(opcode)]->Add(); }
  void CountError(ErrorCode code);
  // Statements that are being answered.
  void CountBegun() { begun_.Add(); }
  void CountEnded(uint64_t statements = 1) { ended_.Add(statements); }
  void CountRead(size_t bytes) { read_bytes_.Add(bytes); }
  void CountWritten(size_t bytes) { written_bytes_.Add(bytes); }
  void CountSlowReader() { slow_readers_.Add(); }

 private:
  static constexpr size_t kOpcodes = 0x11;
  static constexpr size_t kErrorCodes = 20;

  std::array<Counter*, kOpcodes> requests_{};  // null for what is no request
  std::array<Counter*, kErrorCodes> errors_{};
  Counter& read_bytes_;
  Counter& written_bytes_;
  Counter& slow_readers_;
  Counter begun_;
  Counter ended_;
  MetricsRegistry::Registration in_flight_;
};

}  // namespace orrery::cassandra
