#include "api/cassandra/schema/ddl/option/compression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include "api/cassandra/schema/ddl/ddl_errors.h"
#include "api/cassandra/schema/ddl/property_reader.h"
#include "api/cassandra/types/native/real.h"
#include "query/lexer/character_class.h"

namespace orrery::cassandra {
namespace {

constexpr std::string_view kCompressionPackage = "org.apache.cassandra.io.compress.";
constexpr std::string_view kDefaultChunk = "16";
constexpr std::string_view kChunk = "chunk_length_in_kb";
constexpr std::string_view kOldChunk = "chunk_length_kb";
constexpr std::string_view kRatio = "min_compress_ratio";

constexpr std::array<std::string_view, 2> kLz4Options = {"lz4_compressor_type",
                                                         "lz4_high_compressor_level"};
constexpr std::array<std::string_view, 1> kZstdOptions = {"compression_level"};

struct Compressor {
  std::string_view name;
  std::span<const std::string_view> options;
};
constexpr Compressor kCompressors[] = {
    {"LZ4Compressor", kLz4Options},   {"SnappyCompressor", {}}, {"DeflateCompressor", {}},
    {"ZstdCompressor", kZstdOptions}, {"NoopCompressor", {}},
};

// The value, no longer among the options; empty when it was not.
std::string Take(OptionMap& options, std::string_view name) {
  const auto found = options.find(std::string(name));
  if (found == options.end()) return "";
  std::string value = std::move(found->second);
  options.erase(found);
  return value;
}

bool Has(const OptionMap& options, std::string_view name) {
  return options.contains(std::string(name));
}

CqlResult<std::string> TakeChunk(OptionMap& options) {
  if (Has(options, kChunk) && Has(options, kOldChunk)) {
    return ConfigError(
        fmt::format("The '{}' option must not be used if the chunk length is already specified by "
                    "the '{}' option",
                    kOldChunk, kChunk));
  }
  if (!Has(options, kChunk) && !Has(options, kOldChunk)) return std::string(kDefaultChunk);
  const std::string text = Take(options, Has(options, kChunk) ? kChunk : kOldChunk);
  const auto kilobytes = ReadInt32(text);
  if (!kilobytes.has_value()) return ConfigError(fmt::format("Invalid value for {}", kChunk));
  if (*kilobytes > std::numeric_limits<int32_t>::max() / 1024)
    return ConfigError(fmt::format("Value of {} is too large ({})", kChunk, *kilobytes));
  if (*kilobytes <= 0) return ConfigError(fmt::format("Invalid negative or null {}", kChunk));
  if ((*kilobytes & (*kilobytes - 1)) != 0)
    return ConfigError(fmt::format("{} must be a power of 2", kChunk));
  return std::to_string(*kilobytes);
}

// Empty: the default, which is not kept.
CqlResult<std::string> TakeRatio(OptionMap& options) {
  if (!Has(options, kRatio)) return std::string();
  const std::string text = Take(options, kRatio);
  const auto ratio = ParseDouble(text);
  if (!ratio.has_value()) return ConfigError(fmt::format("Invalid value {} for {}", text, kRatio));
  if (*ratio == 0) return std::string();
  if (*ratio < 0) return ConfigError(fmt::format("Invalid negative {}", kRatio));
  if (*ratio < 1)
    return ConfigError(fmt::format("{} can either be 0 or greater than or equal to 1", kRatio));
  return DoubleText(*ratio);
}

// Empty: none.
CqlResult<std::string> TakeClass(OptionMap& options) {
  if (Has(options, "class")) {
    if (Has(options, "sstable_compression")) {
      return ConfigError(
          "The 'sstable_compression' option must not be used if the compression algorithm is "
          "already specified by the 'class' option");
    }
    std::string name = Take(options, "class");
    if (name.empty()) {
      return ConfigError(
          "The 'class' option must not be empty. To disable compression use 'enabled' : false");
    }
    return name;
  }
  return Take(options, "sstable_compression");
}

CqlResult<const Compressor*> FindCompressor(std::string name) {
  if (!name.contains('.')) name = std::string(kCompressionPackage) + name;
  for (const Compressor& compressor : kCompressors) {
    if (name == std::string(kCompressionPackage) + std::string(compressor.name)) return &compressor;
  }
  return ConfigError(fmt::format("Could not create Compression for type {}", name));
}

}  // namespace

CqlResult<OptionMap> CheckCompression(const OptionMap& given) {
  const OptionMap disabled = {{"enabled", "false"}};
  OptionMap options = given;
  options.erase("crc_check_chance");
  const std::string enabled = query::ToLower(Take(options, "enabled"));
  if (Has(given, "enabled") && enabled != "true") {
    if (options.empty()) return disabled;
    return ConfigError(
        "If the 'enabled' option is set to false no other options must be specified");
  }
  if (!given.empty() && !Has(options, "class") && !Has(options, "sstable_compression"))
    return ConfigError("Missing sub-option 'class' for the 'compression' option.");

  CQL_ASSIGN(const std::string name, TakeClass(options));
  CQL_ASSIGN(const std::string chunk, TakeChunk(options));
  CQL_ASSIGN(const std::string ratio, TakeRatio(options));
  if (name.empty()) return disabled;
  CQL_ASSIGN(const Compressor* compressor, FindCompressor(name));
  for (const auto& [option, value] : options) {
    if (std::ranges::find(compressor->options, option) == compressor->options.end())
      return ConfigError(fmt::format("Unknown compression options {}", option));
  }
  options["class"] = std::string(kCompressionPackage) + std::string(compressor->name);
  options[std::string(kChunk)] = chunk;
  if (!ratio.empty()) options[std::string(kRatio)] = ratio;
  return options;
}

}  // namespace orrery::cassandra
