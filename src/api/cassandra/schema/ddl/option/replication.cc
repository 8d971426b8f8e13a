#include "api/cassandra/schema/ddl/option/replication.h"

#include <fmt/format.h>

#include "api/cassandra/schema/ddl/ddl_errors.h"
#include "api/cassandra/schema/ddl/property_reader.h"

namespace orrery::cassandra {
namespace {

constexpr std::string_view kLocatorPackage = "org.apache.cassandra.locator.";
constexpr std::string_view kSimple = "SimpleStrategy";
constexpr std::string_view kTopology = "NetworkTopologyStrategy";
constexpr std::string_view kLocal = "LocalStrategy";
constexpr char kFactor[] = "replication_factor";
constexpr char kDefaultFactor[] = "1";

CqlStatus CheckFactor(const std::string& text) {
  if (text.contains('/')) return ConfigError("Transient replication is not enabled on this node");
  const auto factor = ReadInt32(text);
  if (!factor.has_value()) return ConfigError(fmt::format("For input string: \"{}\"", text));
  if (*factor < 0) {
    return ConfigError(fmt::format("Replication factor must be non-negative, found {}", *factor));
  }
  return {};
}

std::string FormerFactor(const OptionMap& former) {
  const auto found = former.find(kFactor);
  return found == former.end() ? kDefaultFactor : found->second;
}

CqlResult<OptionMap> Simple(std::string_view keyspace, OptionMap options, const OptionMap& former) {
  options.try_emplace(kFactor, FormerFactor(former));
  CQL_TRY(CheckFactor(options[kFactor]));
  for (const auto& [name, value] : options) {
    if (name != kFactor) {
      return ConfigError(
          fmt::format("Unrecognized strategy option {{{}}} passed to {} for keyspace {}", name,
                      kSimple, keyspace));
    }
  }
  return options;
}

CqlResult<OptionMap> Topology(OptionMap options, const OptionMap& former,
                              std::string_view datacenter) {
  if (options.empty()) options[kFactor] = FormerFactor(former);
  if (const auto factor = options.extract(kFactor); !factor.empty()) {
    // Datacenters that have a factor keep it.
    for (const auto& [name, value] : former) {
      if (name != kFactor && name != "class") options.try_emplace(name, value);
    }
    options.try_emplace(std::string(datacenter), factor.mapped());
  }
  for (const auto& [name, value] : options) CQL_TRY(CheckFactor(value));
  std::erase_if(options, [](const auto& option) { return option.second == "0"; });
  if (options.empty())
    return ConfigError("Configuration for at least one datacenter must be present");
  return options;
}

}  // namespace

CqlResult<OptionMap> CheckReplication(std::string_view keyspace, const OptionMap& given,
                                      const OptionMap& former, std::string_view datacenter) {
  const auto named = given.find("class");
  if (named == given.end()) return ConfigError("Missing replication strategy class");
  const std::string name =
      named->second.contains('.') ? named->second : std::string(kLocatorPackage) + named->second;
  OptionMap options = given;
  options.erase("class");
  const auto is = [&](std::string_view strategy) {
    return name == std::string(kLocatorPackage) + std::string(strategy);
  };
  if (is(kLocal)) {
    return Invalid(
        "Unable to use given strategy class: LocalStrategy is reserved for internal use.");
  }
  if (is(kSimple)) {
    CQL_ASSIGN(options, Simple(keyspace, std::move(options), former));
  } else if (is(kTopology)) {
    CQL_ASSIGN(options, Topology(std::move(options), former, datacenter));
  } else {
    return ConfigError(fmt::format("Unable to find replication strategy class '{}'", name));
  }
  options["class"] = name;
  return options;
}

}  // namespace orrery::cassandra
