#include "net/framed/framed_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace orrery::net {
namespace {

std::string Name(std::string_view protocol, std::string_view what) {
  return fmt::format("orrery_{}_{}", protocol, what);
}

}  // namespace

FramedMetrics::FramedMetrics(MetricsRegistry& metrics, std::string_view protocol,
                             std::shared_ptr<const ByteBudget> requests)
    : read_bytes_(
          metrics.GetCounter(Name(protocol, "read_bytes_total"), "Bytes read from clients.")),
      written_bytes_(
          metrics.GetCounter(Name(protocol, "written_bytes_total"), "Bytes written to clients.")),
      slow_readers_(metrics.GetCounter(Name(protocol, "slow_readers_total"),
                                       "Connections cut because the client did not read.")),
      slow_senders_(
          metrics.GetCounter(Name(protocol, "slow_senders_total"),
                             "Connections ended because a request took too long to arrive.")),
      idle_(metrics.GetCounter(Name(protocol, "idle_closed_total"),
                               "Connections closed because the client was silent too long.")),
      ended_by_server_(metrics.GetCounter(
          Name(protocol, "ended_by_server_total"),
          "Connections that the server ended because of what the client sent: errors of the "
          "protocol, failed logins, requests to close.")),
      in_flight_(metrics.AddCollector([this,
                                       bytes_in_flight = Name(protocol, "request_bytes_in_flight"),
                                       in_flight = Name(protocol, "requests_in_flight"),
                                       requests = std::move(requests)](MetricsText& text) {
        text.AddGauge(bytes_in_flight,
                      "Bytes of large requests that are being received or answered, and of their "
                      "answers.",
                      {}, static_cast<double>(requests->bytes()));
        text.AddGauge(
            in_flight, "Requests that are being answered.", {},
            static_cast<double>(begun_.value() - std::min(ended_.value(), begun_.value())));
      })) {}

}  // namespace orrery::net
