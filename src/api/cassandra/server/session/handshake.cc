#include "api/cassandra/server/session/handshake.h"

#include <fmt/format.h>

#include <charconv>

namespace orrery::cassandra {
namespace {

constexpr int kCqlMajorMin = 3;

// The major number of "3.4.6" or "3.0.0-beta"; nothing if that is no version.
std::optional<int> MajorVersion(std::string_view version) {
  int major = 0;
  int minor = 0;
  const char* const end = version.data() + version.size();
  const auto [dot, error] = std::from_chars(version.data(), end, major);
  if (error != std::errc() || dot == end || *dot != '.') return std::nullopt;
  if (std::from_chars(dot + 1, end, minor).ec != std::errc()) return std::nullopt;
  return major;
}

CqlStatus CheckCqlVersion(std::string_view version) {
  const std::optional<int> major = MajorVersion(version);
  if (!major) {
    return Refuse(ErrorCode::kProtocolError, fmt::format("Invalid version value: {}", version));
  }
  if (*major < kCqlMajorMin) {
    return Refuse(ErrorCode::kProtocolError,
                  fmt::format("CQL version {} is not supported by the binary protocol (supported "
                              "version are >= 3.0.0)",
                              version));
  }
  return {};
}

}  // namespace

const StringMultimap& SupportedOptions() {
  static const StringMultimap kOptions = {
      {"CQL_VERSION", {kCqlVersion}},
      {"COMPRESSION", {"snappy", "lz4"}},
      {"PROTOCOL_VERSIONS", {"3/v3", "4/v4", "5/v5"}},
  };
  return kOptions;
}

CqlResult<Compression> AgreeOnStartup(const StartupRequest& startup, ProtocolVersion version) {
  CQL_TRY(CheckCqlVersion(startup.Find("CQL_VERSION").value_or("")));
  const std::optional<std::string_view> name = startup.Find("COMPRESSION");
  if (!name) return Compression::kNone;
  const std::optional<Compression> compression = ToCompression(*name);
  if (!compression) {
    return Refuse(ErrorCode::kProtocolError,
                  fmt::format("Unknown compression algorithm: {}", *name));
  }
  if (version >= ProtocolVersion::kV5 && *compression != Compression::kLz4) {
    return Refuse(
        ErrorCode::kProtocolError,
        fmt::format("Unsupported compression algorithm in protocol v5: {}; use lz4", *name));
  }
  return *compression;
}

CqlResult<PlainCredentials> DecodePlain(const std::optional<std::string_view>& token) {
  const auto refuse = [](std::string text) {
    return Refuse(ErrorCode::kBadCredentials, std::move(text));
  };
  if (!token) return refuse("Authentication ID must not be null");
  const size_t user = token->find('\0');
  if (user == std::string_view::npos) return refuse("Authentication ID must not be null");
  const size_t password = token->find('\0', user + 1);
  if (password == std::string_view::npos) return refuse("Password must not be null");
  if (token->find('\0', password + 1) != std::string_view::npos) {
    return refuse("Credential format error: username or password contains a NUL character");
  }
  return PlainCredentials{std::string(token->substr(user + 1, password - user - 1)),
                          std::string(token->substr(password + 1))};
}

}  // namespace orrery::cassandra
