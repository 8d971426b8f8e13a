#include "api/cassandra/protocol/frame/frame.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/cassandra/protocol/frame/checksum.h"
#include "api/cassandra/protocol/frame/compression.h"
#include "base/check.h"

namespace orrery::cassandra {
namespace {

constexpr size_t kHeaderChecksumBytes = 3;
constexpr size_t kPayloadChecksumBytes = 4;
constexpr int kSizeBits = 17;
constexpr uint64_t kSizeMask = (uint64_t{1} << kSizeBits) - 1;

void AppendLittleEndian(std::string& out, uint64_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) out.push_back(static_cast<char>(value >> (8 * i)));
}

uint64_t LoadLittleEndian(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    value |= uint64_t{static_cast<uint8_t>(bytes[i])} << (8 * i);
  }
  return value;
}

void AppendHeader(std::string& out, uint64_t fields, size_t bytes) {
  const size_t start = out.size();
  AppendLittleEndian(out, fields, bytes);
  const uint32_t checksum = HeaderChecksum(std::string_view(out).substr(start));
  AppendLittleEndian(out, checksum, kHeaderChecksumBytes);
}

void AppendPlainFrame(std::string& out, std::string_view payload, bool self_contained) {
  AppendHeader(out, payload.size() | uint64_t{self_contained} << kSizeBits, 3);
  out.append(payload);
  AppendLittleEndian(out, PayloadChecksum(payload), kPayloadChecksumBytes);
}

void AppendLz4Frame(std::string& out, std::string_view payload, bool self_contained,
                    std::string& scratch) {
  scratch.clear();
  const bool compressed = payload.size() >= kCompressBytesMin && AppendLz4Block(scratch, payload);
  const std::string_view wire = compressed ? std::string_view(scratch) : payload;
  const uint64_t plain_bytes = compressed ? payload.size() : 0;
  AppendHeader(
      out, wire.size() | plain_bytes << kSizeBits | uint64_t{self_contained} << 2 * kSizeBits, 5);
  out.append(wire);
  AppendLittleEndian(out, PayloadChecksum(wire), kPayloadChecksumBytes);
}

// The size of the longest run of whole envelopes at the head of `envelopes` that fits one frame;
// 0 when not even the first does.
size_t FittingBytes(std::string_view envelopes) {
  size_t fitting = 0;
  while (fitting < envelopes.size()) {
    const size_t size = AnnouncedEnvelopeBytes(envelopes.substr(fitting));
    ORRERY_CHECK(size <= envelopes.size() - fitting);
    if (fitting + size > kFramePayloadBytesMax) break;
    fitting += size;
  }
  return fitting;
}

}  // namespace

void AppendFrames(std::string& out, std::string_view envelopes, FrameFormat format) {
  std::string scratch;
  const auto append = [&](std::string_view payload, bool self_contained) {
    if (format == FrameFormat::kPlain) {
      AppendPlainFrame(out, payload, self_contained);
    } else {
      AppendLz4Frame(out, payload, self_contained, scratch);
    }
  };
  while (!envelopes.empty()) {
    const size_t fitting = FittingBytes(envelopes);
    if (fitting > 0) {
      append(envelopes.substr(0, fitting), true);
      envelopes.remove_prefix(fitting);
      continue;
    }
    std::string_view large = envelopes.substr(0, AnnouncedEnvelopeBytes(envelopes));
    envelopes.remove_prefix(large.size());
    while (!large.empty()) {
      const size_t piece = std::min(large.size(), kFramePayloadBytesMax);
      append(large.substr(0, piece), false);
      large.remove_prefix(piece);
    }
  }
}

Result<FrameDecoder::Header> FrameDecoder::DecodeHeader(std::string_view bytes) const {
  const std::string_view fields_bytes = bytes.substr(0, header_bytes());
  const uint64_t announced = LoadLittleEndian(bytes.substr(header_bytes(), kHeaderChecksumBytes));
  const uint64_t computed = HeaderChecksum(fields_bytes);
  if (announced != computed) {
    return Fail(Code::kInvalidArgument,
                fmt::format("Invalid CRC of a frame header: {:#x} came, {:#x} was computed",
                            announced, computed));
  }
  const uint64_t fields = LoadLittleEndian(fields_bytes);
  Header header;
  header.wire_bytes = fields & kSizeMask;
  if (format_ == FrameFormat::kPlain) {
    header.self_contained = (fields >> kSizeBits & 1) != 0;
  } else {
    header.plain_bytes = fields >> kSizeBits & kSizeMask;
    header.self_contained = (fields >> 2 * kSizeBits & 1) != 0;
  }
  return header;
}

Result<bool> FrameDecoder::AddPiece(std::string_view piece) {
  large_.append(piece);
  if (large_.size() < kEnvelopeHeaderBytes) return false;
  const size_t size = AnnouncedEnvelopeBytes(large_);
  if (size > kEnvelopeHeaderBytes + body_bytes_max_) {
    return Fail(Code::kInvalidArgument,
                fmt::format("Request is too big: length {} exceeds maximum allowed length {}.",
                            size - kEnvelopeHeaderBytes, body_bytes_max_));
  }
  if (large_.size() > size) {
    return Fail(Code::kInvalidArgument,
                fmt::format("The frames of a large message hold {} bytes, the message has {}",
                            large_.size(), size));
  }
  return large_.size() == size;
}

Result<std::optional<std::string_view>> FrameDecoder::Next(std::string_view& input) {
  if (large_given_) {
    // Released, not kept for the next one: few connections ever send a large message twice.
    // (Assigning an empty string would keep the memory.)
    std::string().swap(large_);
    large_given_ = false;
  }
  const size_t head_bytes = header_bytes() + kHeaderChecksumBytes;
  while (input.size() >= head_bytes) {
    ORRERY_ASSIGN(const Header header, DecodeHeader(input));
    const size_t frame_bytes = head_bytes + header.wire_bytes + kPayloadChecksumBytes;
    if (input.size() < frame_bytes) break;
    std::string_view payload = input.substr(head_bytes, header.wire_bytes);
    const uint64_t announced =
        LoadLittleEndian(input.substr(head_bytes + header.wire_bytes, kPayloadChecksumBytes));
    const uint64_t computed = PayloadChecksum(payload);
    if (announced != computed) {
      return Fail(Code::kInvalidArgument,
                  fmt::format("Invalid CRC of a frame payload: {:#x} came, {:#x} was computed",
                              announced, computed));
    }
    if (header.plain_bytes > 0) {
      ORRERY_TRY(DecompressLz4Block(payload, header.plain_bytes, plain_));
      payload = plain_;
    }
    input.remove_prefix(frame_bytes);
    if (header.self_contained) {
      if (large_.empty()) return payload;
      return Fail(Code::kInvalidArgument, "A large message was interrupted by another frame");
    }
    ORRERY_ASSIGN(const bool complete, AddPiece(payload));
    if (complete) {
      large_given_ = true;
      return std::string_view(large_);
    }
  }
  ReleaseLarge(plain_);
  return std::nullopt;
}

}  // namespace orrery::cassandra
