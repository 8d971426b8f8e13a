// The CQL server's metrics of requests and errors; bytes and requests in flight are counted by
// net/framed/framed_metrics.h. Made once at start, used by every connection.
//
// Thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "api/cassandra/protocol/error_code.h"
#include "api/cassandra/protocol/opcode.h"
#include "base/metrics.h"
#include "base/request_meter.h"

namespace orrery::cassandra {

class ServerMetrics {
 public:
  // `metrics` must outlive it.
  explicit ServerMetrics(MetricsRegistry& metrics);

  void CountRequest(Opcode opcode) { requests_[static_cast<uint8_t>(opcode)]->Add(); }
  void CountError(ErrorCode code);
  RequestMeter& meter() { return meter_; }

 private:
  static constexpr size_t kOpcodes = 0x11;
  static constexpr size_t kErrorCodes = 20;

  std::array<Counter*, kOpcodes> requests_{};  // null for what is no request
  std::array<Counter*, kErrorCodes> errors_{};
  RequestMeter meter_;
};

}  // namespace orrery::cassandra
