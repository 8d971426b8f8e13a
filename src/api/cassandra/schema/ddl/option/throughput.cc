#include "api/cassandra/schema/ddl/option/throughput.h"

#include <fmt/format.h>

#include "api/cassandra/schema/ddl/ddl_errors.h"

namespace orrery::cassandra {
namespace {

CqlResult<std::optional<int64_t>> FromProperty(const PropertyReader& properties,
                                               std::string_view name) {
  CQL_ASSIGN(const std::optional<int32_t> number, properties.Integer(name));
  return number;
}

CqlResult<std::optional<int64_t>> FromPayload(std::span<const PayloadEntry> payload,
                                              std::string_view name) {
  for (const PayloadEntry& entry : payload) {
    if (entry.key != name || !entry.value.has_value()) continue;
    const auto number = ReadInt64(*entry.value);
    if (!number.has_value()) {
      return Invalid(
          fmt::format("the custom payload '{}' must be a whole number in decimal digits", name));
    }
    return number;
  }
  return std::nullopt;
}

}  // namespace

CqlResult<ThroughputOptions> ReadThroughput(const PropertyReader& properties,
                                            std::span<const PayloadEntry> payload) {
  ThroughputOptions options;
  CQL_ASSIGN(options.provisioned, FromProperty(properties, kProvisionedThroughput));
  CQL_ASSIGN(options.autoscale_max, FromProperty(properties, kAutoscaleMaxThroughput));
  if (!options.any()) {
    CQL_ASSIGN(options.provisioned, FromPayload(payload, kProvisionedThroughput));
    CQL_ASSIGN(options.autoscale_max, FromPayload(payload, kAutoscaleMaxThroughput));
  }
  if (options.provisioned.has_value() && options.autoscale_max.has_value()) {
    return ConfigError(fmt::format("{} and {} cannot both be set: choose one",
                                   kProvisionedThroughput, kAutoscaleMaxThroughput));
  }
  return options;
}

partition::ThroughputSettings ToSettings(const ThroughputOptions& options) {
  using partition::ThroughputSettings;
  if (options.provisioned.has_value()) return ThroughputSettings::Manual(*options.provisioned);
  if (options.autoscale_max.has_value())
    return ThroughputSettings::Autoscale(*options.autoscale_max);
  return ThroughputSettings::None();
}

}  // namespace orrery::cassandra
