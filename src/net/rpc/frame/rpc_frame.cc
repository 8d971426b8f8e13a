#include "net/rpc/frame/rpc_frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "base/check.h"
#include "base/crc32c.h"

namespace orrery::net {
namespace {

constexpr size_t kLengthAndCrcBytes = 8;
constexpr size_t kLengthMin = kRpcHeaderBytes - kLengthAndCrcBytes;

bool IsKind(uint8_t kind) {
  return kind >= std::to_underlying(RpcFrameKind::kRequest) &&
         kind <= std::to_underlying(RpcFrameKind::kPing);
}

}  // namespace

std::string EncodeRpcHeader(const RpcFrame& frame) {
  ORRERY_CHECK(frame.payload.size() <= kRpcPayloadBytesMax);
  std::string covered;
  AppendBigEndian(covered, std::to_underlying(frame.kind));
  AppendBigEndian(covered, frame.id);
  AppendBigEndian(covered, frame.method);
  std::string header;
  header.reserve(kRpcHeaderBytes);
  AppendBigEndian(header, static_cast<uint32_t>(covered.size() + frame.payload.size()));
  AppendBigEndian(header, Crc32c(Crc32c(0, covered), frame.payload));
  return header += covered;
}

Result<std::optional<RpcFrame>> RpcFrameDecoder::Take(std::string_view& input) {
  if (header_.size() < kRpcHeaderBytes) {
    const size_t size = std::min(input.size(), kRpcHeaderBytes - header_.size());
    header_.append(input.substr(0, size));
    input.remove_prefix(size);
    if (header_.size() < kRpcHeaderBytes) return std::nullopt;
    ORRERY_TRY(ReadHeader());
  }
  const size_t size = std::min(input.size(), missing_);
  frame_.payload.append(input.substr(0, size));
  input.remove_prefix(size);
  missing_ -= size;
  if (missing_ > 0) return std::nullopt;
  const std::string_view covered = std::string_view(header_).substr(kLengthAndCrcBytes);
  if (Crc32c(Crc32c(0, covered), frame_.payload) != wanted_crc_)
    return Fail(Code::kInvalidArgument, "a frame's checksum is wrong");
  header_.clear();
  return std::exchange(frame_, RpcFrame());
}

Status RpcFrameDecoder::ReadHeader() {
  ByteReader reader(header_);
  uint32_t length = 0;
  uint8_t kind = 0;
  ORRERY_CHECK(reader.ReadBigEndian(length) && reader.ReadBigEndian(wanted_crc_) &&
               reader.ReadBigEndian(kind) && reader.ReadBigEndian(frame_.id) &&
               reader.ReadBigEndian(frame_.method));
  if (length < kLengthMin || length - kLengthMin > kRpcPayloadBytesMax) {
    return Fail(Code::kInvalidArgument,
                fmt::format("a frame's length {} is none: a payload has at most {} bytes", length,
                            kRpcPayloadBytesMax));
  }
  if (!IsKind(kind))
    return Fail(Code::kInvalidArgument, fmt::format("there is no frame of kind {}", kind));
  frame_.kind = static_cast<RpcFrameKind>(kind);
  missing_ = length - kLengthMin;
  if (frame_.kind == RpcFrameKind::kPing && missing_ > 0)
    return Fail(Code::kInvalidArgument, "a ping has a payload");
  frame_.payload.reserve(missing_);
  return {};
}

}  // namespace orrery::net
