#include "api/mongo/protocol/message.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "base/check.h"
#include "base/crc32c.h"
#include "net/compression/block_compression.h"

namespace orrery::mongo {
namespace {

static_assert(std::endian::native == std::endian::little, "integers are copied as they are");

// Replies below this are sent as they are: nothing would be won.
constexpr size_t kCompressReplyBytesMin = 256;
// Flags that a server must understand; the others may be ignored.
constexpr uint32_t kRequiredFlags = 0xffff;
constexpr uint32_t kKnownFlags = kChecksumPresent | kMoreToCome;
constexpr size_t kSequencesMax = 16;

template <typename T>
bool ReadInteger(std::string_view& input, T& value) {
  if (input.size() < sizeof(T)) return false;
  std::memcpy(&value, input.data(), sizeof(T));
  input.remove_prefix(sizeof(T));
  return true;
}

template <typename T>
void AppendInteger(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

bool ReadCString(std::string_view& input, std::string_view& text) {
  const size_t end = input.find('\0');
  if (end == std::string_view::npos) return false;
  text = input.substr(0, end);
  input.remove_prefix(end + 1);
  return true;
}

std::unexpected<MessageError> Malformed(std::string text) {
  return std::unexpected(MessageError{MessageError::Kind::kProtocol, std::move(text)});
}
std::unexpected<MessageError> BadDocument(std::string text) {
  return std::unexpected(MessageError{MessageError::Kind::kBson, std::move(text)});
}

// Takes one document off the head of `input`.
std::expected<model::DocumentView, MessageError> TakeDocument(std::string_view& input,
                                                              size_t bytes_max) {
  std::string_view rest = input;
  int32_t size = 0;
  if (!ReadInteger(rest, size) || size < 5 || static_cast<size_t>(size) > input.size())
    return Malformed("a document is longer than its message");
  if (static_cast<size_t>(size) > bytes_max) {
    return BadDocument(
        fmt::format("BSONObj size: {} (0x{:X}) is invalid. Size must be between 0 "
                    "and {}({}MB)",
                    size, size, bytes_max, bytes_max >> 20));
  }
  auto document = model::DocumentView::FromBson(input.substr(0, static_cast<size_t>(size)));
  if (!document.has_value()) return BadDocument(document.error().message());
  input.remove_prefix(static_cast<size_t>(size));
  return *document;
}

std::expected<void, MessageError> ReadSequence(std::string_view& input, Message& message) {
  std::string_view section = input;
  int32_t size = 0;
  if (!ReadInteger(section, size) || size < 4 || static_cast<size_t>(size) > input.size())
    return Malformed("a section is longer than its message");
  section = input.substr(sizeof(size), static_cast<size_t>(size) - sizeof(size));
  input.remove_prefix(static_cast<size_t>(size));
  if (message.sequences.size() == kSequencesMax) return Malformed("too many document sequences");
  DocumentSequence& sequence = message.sequences.emplace_back();
  if (!ReadCString(section, sequence.name)) return Malformed("a document sequence has no name");
  while (!section.empty()) {
    auto document = TakeDocument(section, kCommandBytesMax);
    if (!document.has_value()) return std::unexpected(std::move(document).error());
    sequence.documents.push_back(*document);
  }
  return {};
}

std::expected<void, MessageError> CheckSum(const MessageHeader& header, std::string_view plain) {
  std::string head;
  for (const int32_t word : {header.length, header.request_id, header.response_to, header.opcode})
    AppendInteger(head, word);
  uint32_t sent = 0;
  std::string_view tail = plain.substr(plain.size() - sizeof(sent));
  ReadInteger(tail, sent);
  const uint32_t sum = Crc32c(Crc32c(0, head), plain.substr(0, plain.size() - sizeof(sent)));
  if (sum != sent) return Malformed("OP_MSG checksum does not match contents.");
  return {};
}

std::expected<void, MessageError> ReadMsg(const MessageHeader& header, Message& message) {
  std::string_view input = message.bytes;
  if (!ReadInteger(input, message.flags)) return Malformed("OP_MSG without flags");
  if (const uint32_t unknown = message.flags & kRequiredFlags & ~kKnownFlags; unknown != 0)
    return Malformed(fmt::format("OP_MSG has unknown required flags {:#x}", unknown));
  if ((message.flags & kChecksumPresent) != 0) {
    if (input.size() < sizeof(uint32_t)) return Malformed("OP_MSG is too short for its checksum");
    // Of a compressed message the checksum was left out when it was compressed.
    if (!message.compressor.has_value()) {
      if (auto checked = CheckSum(header, message.bytes); !checked.has_value()) return checked;
    }
    input.remove_suffix(sizeof(uint32_t));
  }
  bool has_body = false;
  while (!input.empty()) {
    const char kind = input.front();
    input.remove_prefix(1);
    if (kind == 0) {
      if (has_body) return Malformed("OP_MSG has more than one body");
      has_body = true;
      auto body = TakeDocument(input, kCommandBytesMax);
      if (!body.has_value()) return std::unexpected(std::move(body).error());
      message.body = *body;
    } else if (kind == 1) {
      if (auto read = ReadSequence(input, message); !read.has_value()) return read;
    } else {
      return Malformed(fmt::format("Unknown section kind {}", static_cast<uint8_t>(kind)));
    }
  }
  if (!has_body) return Malformed("OP_MSG has no body");
  return {};
}

std::expected<void, MessageError> ReadQuery(Message& message) {
  std::string_view input = message.bytes;
  int32_t flags = 0;
  int32_t skip = 0;
  int32_t count = 0;
  if (!ReadInteger(input, flags) || !ReadCString(input, message.query_namespace) ||
      !ReadInteger(input, skip) || !ReadInteger(input, count))
    return Malformed("OP_QUERY is too short");
  auto body = TakeDocument(input, kCommandBytesMax);
  if (!body.has_value()) return std::unexpected(std::move(body).error());
  message.body = *body;
  return {};
}

std::expected<int32_t, MessageError> Decompress(std::string_view body, Message& message) {
  int32_t opcode = 0;
  int32_t size = 0;
  uint8_t number = 0;
  if (!ReadInteger(body, opcode) || !ReadInteger(body, size) || !ReadInteger(body, number) ||
      size < 0)
    return Malformed("OP_COMPRESSED is too short");
  const auto compressor = CompressorNumbered(number);
  if (!compressor.has_value())
    return Malformed(fmt::format("OP_COMPRESSED with unknown compressor {}", number));
  message.compressor = compressor;
  if (*compressor == Compressor::kNoop) {
    if (body.size() != static_cast<size_t>(size)) return Malformed("wrong size of noop message");
    message.bytes = body;
    return opcode;
  }
  const net::BlockFormat format = *compressor == Compressor::kSnappy ? net::BlockFormat::kSnappy
                                  : *compressor == Compressor::kZlib ? net::BlockFormat::kZlib
                                                                     : net::BlockFormat::kZstd;
  const Status plain = net::DecompressBlock(format, body, static_cast<size_t>(size),
                                            kMessageBytesMax, message.bytes);
  if (!plain.has_value()) return Malformed(plain.error().message());
  return opcode;
}

void AppendHeader(std::string& out, size_t length, int32_t response_to, OpCode opcode,
                  int32_t request_id = 0) {
  AppendInteger(out, static_cast<int32_t>(length));
  AppendInteger(out, request_id);
  AppendInteger(out, response_to);
  AppendInteger(out, static_cast<int32_t>(opcode));
}

}  // namespace

std::optional<MessageHeader> ReadHeader(std::string_view input) {
  MessageHeader header;
  if (!ReadInteger(input, header.length) || !ReadInteger(input, header.request_id) ||
      !ReadInteger(input, header.response_to) || !ReadInteger(input, header.opcode))
    return std::nullopt;
  return header;
}

std::expected<void, MessageError> ReadMessage(const MessageHeader& header, std::string_view body,
                                              Message& message) {
  message.request_id = header.request_id;
  int32_t opcode = header.opcode;
  if (opcode == static_cast<int32_t>(OpCode::kCompressed)) {
    auto inner = Decompress(body, message);
    if (!inner.has_value()) return std::unexpected(std::move(inner).error());
    opcode = *inner;
  } else {
    message.bytes = body;
  }
  if (opcode == static_cast<int32_t>(OpCode::kMsg)) {
    message.opcode = OpCode::kMsg;
    return ReadMsg(header, message);
  }
  if (opcode == static_cast<int32_t>(OpCode::kQuery)) {
    message.opcode = OpCode::kQuery;
    return ReadQuery(message);
  }
  return Malformed(fmt::format("unsupported opcode {}", opcode));
}

void AppendMsg(std::string& out, int32_t request_id, uint32_t flags, model::DocumentView body,
               std::optional<Compressor> compressor, int32_t reply_id) {
  const std::string_view bson = body.bson();
  const size_t plain_size = sizeof(flags) + 1 + bson.size();
  const size_t start = out.size();
  if (compressor.has_value() && *compressor != Compressor::kNoop &&
      plain_size >= kCompressReplyBytesMin) {
    std::string plain;
    plain.reserve(plain_size);
    AppendInteger(plain, flags);
    plain.push_back(0);
    plain.append(bson);
    AppendHeader(out, 0, request_id, OpCode::kCompressed, reply_id);
    AppendInteger(out, static_cast<int32_t>(OpCode::kMsg));
    AppendInteger(out, static_cast<int32_t>(plain_size));
    AppendInteger(out, static_cast<uint8_t>(*compressor));
    const net::BlockFormat format = *compressor == Compressor::kSnappy ? net::BlockFormat::kSnappy
                                    : *compressor == Compressor::kZlib ? net::BlockFormat::kZlib
                                                                       : net::BlockFormat::kZstd;
    if (net::AppendCompressed(format, plain, out)) {
      const auto length = static_cast<int32_t>(out.size() - start);
      std::memcpy(out.data() + start, &length, sizeof(length));
      return;
    }
    out.resize(start);
  }
  AppendHeader(out, kHeaderBytes + plain_size, request_id, OpCode::kMsg, reply_id);
  AppendInteger(out, flags);
  out.push_back(0);
  out.append(bson);
}

void AppendOpReply(std::string& out, int32_t request_id, model::DocumentView body) {
  constexpr int32_t kAwaitCapable = 8;
  AppendHeader(out, kHeaderBytes + 20 + body.bson().size(), request_id, OpCode::kReply);
  AppendInteger(out, kAwaitCapable);
  AppendInteger(out, int64_t{0});
  AppendInteger(out, int32_t{0});
  AppendInteger(out, int32_t{1});
  out.append(body.bson());
}

}  // namespace orrery::mongo
