#include "gateway/remote/envelope.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace orrery::gateway {
namespace {

constexpr uint8_t kEnvelopeVersion = 2;

// By their numbers on the wire: add at the end, never change one.
constexpr std::array kCodes = {
    Code::kInvalidArgument,   Code::kNotFound,
    Code::kAlreadyExists,     Code::kPreconditionFailed,
    Code::kTooLarge,          Code::kPartitionFull,
    Code::kThrottled,         Code::kOverloaded,
    Code::kWouldBlock,        Code::kMoved,
    Code::kUnauthorized,      Code::kForbidden,
    Code::kUnavailable,       Code::kCorruption,
    Code::kResourceExhausted, Code::kFenced,
    Code::kUnsupported,       Code::kCancelled,
    Code::kInternal,
};

uint64_t NumberOf(Code code) {
  for (size_t i = 0; i < kCodes.size(); ++i) {
    if (kCodes[i] == code) return i;
  }
  return kCodes.size() - 1;
}

void AppendError(MessageWriter& out, const Error& error) {
  out.Number(NumberOf(error.code()));
  out.Number(error.retry_after_ms());
  out.Bytes(error.message());
}

Error ReadError(MessageReader& in) {
  const Code code = kCodes[in.Number(kCodes.size() - 1)];
  const auto retry_after_ms = static_cast<uint32_t>(in.Number(UINT32_MAX));
  std::string message = in.String();
  if (code == Code::kThrottled) return Error::Throttled(std::move(message), retry_after_ms);
  return Error(code, std::move(message));
}

Status CheckVersion(MessageReader& in) {
  const uint64_t version = in.Number();
  if (!in.ok()) return in.End();
  if (version == kEnvelopeVersion) return {};
  return Fail(Code::kUnsupported,
              fmt::format("another node speaks version {} of the protocol between nodes, this one "
                          "{}: bring both to the same release",
                          version, kEnvelopeVersion));
}

}  // namespace

std::string WrapRequest(const RequestHead& head, std::string_view body) {
  MessageWriter out;
  out.Number(kEnvelopeVersion);
  out.Number(head.container.value());
  out.Number(head.version);
  std::string request = std::move(out).Take();
  request.append(body);
  return request;
}

Result<OpenedRequest> OpenRequest(std::string_view request) {
  MessageReader in(request);
  ORRERY_TRY(CheckVersion(in));
  OpenedRequest opened;
  opened.head.container = ContainerId(static_cast<uint32_t>(in.Number(UINT32_MAX)));
  opened.head.version = in.Number();
  opened.body = in.Rest();
  ORRERY_TRY(in.End());
  return opened;
}

std::string WrapAnswer(const Result<std::string>& body) {
  MessageWriter out;
  out.Number(kEnvelopeVersion);
  out.Flag(!body.has_value());
  if (!body.has_value()) AppendError(out, body.error());
  std::string answer = std::move(out).Take();
  if (body.has_value()) answer.append(*body);
  return answer;
}

Result<std::string> OpenAnswer(std::string_view answer) {
  MessageReader in(answer);
  ORRERY_TRY(CheckVersion(in));
  if (!in.Flag()) {
    std::string body(in.Rest());
    ORRERY_TRY(in.End());
    return body;
  }
  Error error = ReadError(in);
  ORRERY_TRY(in.End());
  return Fail(std::move(error));
}

void AppendStatus(MessageWriter& out, const Status& status) {
  out.Flag(!status.has_value());
  if (!status.has_value()) AppendError(out, status.error());
}

Status ReadStatus(MessageReader& in) {
  if (!in.Flag()) return {};
  return Fail(ReadError(in));
}

}  // namespace orrery::gateway
