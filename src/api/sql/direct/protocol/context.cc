#include "api/sql/direct/protocol/context.h"

#include <fmt/format.h>

#include <cstring>
#include <optional>

#include "api/sql/direct/protocol/token.h"

namespace orrery::sql::direct {
namespace {

uint16_t ContextNumber(ContextToken id) { return static_cast<uint16_t>(id); }

// The head of an answer, without its size.
size_t BeginAnswer(std::string& out, const Guid& activity, uint32_t status) {
  const size_t begin = out.size();
  AppendUInt32(out, 0);
  AppendUInt32(out, status);
  out.append(activity.bytes.data(), activity.bytes.size());
  AppendUInt32Token(out, ContextNumber(ContextToken::kProtocolVersion), kProtocolVersion);
  return begin;
}

void AppendServer(std::string& out, const ServerIdentity& server) {
  AppendSmallTextToken(out, ContextNumber(ContextToken::kAgent), server.agent);
  AppendSmallTextToken(out, ContextNumber(ContextToken::kServerVersion), server.version);
}

void AppendTimeout(std::string& out, ContextToken id, std::chrono::seconds timeout) {
  if (timeout.count() == 0) return;
  AppendUInt32Token(out, ContextNumber(id), static_cast<uint32_t>(timeout.count()));
}

void EndAnswer(std::string& out, size_t begin) {
  const auto size = static_cast<uint32_t>(out.size() - begin);
  std::memcpy(out.data() + begin, &size, sizeof(size));
}

}  // namespace

Result<ContextRequest> ReadContextRequest(const RequestFrame& frame) {
  std::optional<int64_t> protocol_version;
  std::optional<std::string_view> client_version;
  std::optional<std::string_view> agent;
  TokenReader reader(frame.tokens);
  while (const auto token = reader.Next()) {
    switch (static_cast<ContextToken>(token->id)) {
      case ContextToken::kProtocolVersion:
        protocol_version = token->AsInteger();
        break;
      case ContextToken::kClientVersion:
        client_version = token->AsText();
        break;
      case ContextToken::kAgent:
        agent = token->AsText();
        break;
      default:
        break;
    }
  }
  if (reader.malformed() || !protocol_version.has_value() || !client_version.has_value()) {
    return Fail(Code::kInvalidArgument,
                "the first frame of a connection must have the versions of protocol and client");
  }
  if (*protocol_version != kProtocolVersion) {
    return Fail(Code::kInvalidArgument,
                fmt::format("version {} of RNTBD is not served; use version {}", *protocol_version,
                            kProtocolVersion));
  }
  return ContextRequest{.protocol_version = kProtocolVersion,
                        .client_version = std::string(*client_version),
                        .agent = std::string(agent.value_or(""))};
}

void AppendContextAnswer(std::string& out, const Guid& activity, const ContextRequest& request,
                         const ServerIdentity& server) {
  const size_t begin = BeginAnswer(out, activity, 200);
  AppendSmallTextToken(out, ContextNumber(ContextToken::kClientVersion),
                       std::string_view(request.client_version).substr(0, kSmallTextBytesMax));
  AppendServer(out, server);
  AppendTimeout(out, ContextToken::kIdleTimeoutSeconds, server.idle_timeout);
  AppendTimeout(out, ContextToken::kUnauthenticatedTimeoutSeconds, server.unauthenticated_timeout);
  EndAnswer(out, begin);
}

void AppendContextError(std::string& out, const Guid& activity, uint32_t status,
                        const ServerIdentity& server, std::string_view error) {
  const size_t begin = BeginAnswer(out, activity, status);
  AppendServer(out, server);
  EndAnswer(out, begin);
  AppendUInt32(out, static_cast<uint32_t>(error.size()));
  out.append(error);
}

}  // namespace orrery::sql::direct
