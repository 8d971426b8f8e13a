// A FramedMetrics counts what the connections of one protocol do: orrery_<protocol>_... in the
// metrics. Made once at start, used by every connection of all of its ports; connections themselves
// are counted by their listener.
//
// Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/byte_budget.h"
#include "base/metrics.h"

namespace orrery::net {

class FramedMetrics {
 public:
  // `protocol` is part of the names: "cql". `requests` is where bytes of requests are counted.
  // `metrics` must outlive it.
  FramedMetrics(MetricsRegistry& metrics, std::string_view protocol,
                std::shared_ptr<const ByteBudget> requests);

  // Requests that are being answered.
  void CountBegun() { begun_.Add(); }
  void CountEnded(uint64_t requests = 1) { ended_.Add(requests); }
  void CountRead(size_t bytes) { read_bytes_.Add(bytes); }
  void CountWritten(size_t bytes) { written_bytes_.Add(bytes); }
  void CountSlowReader() { slow_readers_.Add(); }
  void CountSlowSender() { slow_senders_.Add(); }
  void CountIdle() { idle_.Add(); }
  void CountEndedByServer() { ended_by_server_.Add(); }

 private:
  Counter& read_bytes_;
  Counter& written_bytes_;
  Counter& slow_readers_;
  Counter& slow_senders_;
  Counter& idle_;
  Counter& ended_by_server_;
  Counter begun_;
  Counter ended_;
  MetricsRegistry::Registration in_flight_;
};

}  // namespace orrery::net
