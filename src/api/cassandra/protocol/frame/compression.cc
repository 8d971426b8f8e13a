#include "api/cassandra/protocol/frame/compression.h"

#include <fmt/format.h>
#include <lz4.h>

#include <algorithm>
#include <cctype>

#include "api/cassandra/protocol/body/body_writer.h"
#include "base/bytes.h"
#include "base/check.h"
#include "net/compression/block_compression.h"

namespace orrery::cassandra {
namespace {

// More than the format can reach: lz4 adds 255 bytes for one.
constexpr size_t kExpansionMax = 256;
// The capacity of a buffer that a connection keeps between messages.
constexpr size_t kKeptPlainBytes = size_t{4} << 10;

bool EqualIgnoringCase(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

Status CheckAnnouncedSize(size_t announced, size_t compressed, size_t size_max) {
  if (announced > size_max) {
    return Fail(Code::kInvalidArgument,
                fmt::format("A compressed body would have {} bytes, more than the {} allowed",
                            announced, size_max));
  }
  if (announced / kExpansionMax > compressed) {
    return Fail(Code::kInvalidArgument,
                fmt::format("A compressed body of {} bytes cannot hold the {} that it announces",
                            compressed, announced));
  }
  return {};
}

Status DecompressSnappy(std::string_view body, size_t size_max, std::string& out) {
  ORRERY_ASSIGN(const size_t size, net::SnappyPlainSize(body));
  return net::DecompressBlock(net::BlockFormat::kSnappy, body, size, size_max, out);
}

Status DecompressLz4(std::string_view body, size_t size_max, std::string& out) {
  ByteReader reader(body);
  uint32_t size = 0;
  if (!reader.ReadBigEndian(size)) {
    return Fail(Code::kInvalidArgument, "An lz4 body does not begin with its size");
  }
  ORRERY_TRY(CheckAnnouncedSize(size, reader.rest().size(), size_max));
  return DecompressLz4Block(reader.rest(), size, out);
}

}  // namespace

std::optional<Compression> ToCompression(std::string_view name) {
  for (const Compression compression : {Compression::kLz4, Compression::kSnappy}) {
    if (EqualIgnoringCase(name, CompressionName(compression))) return compression;
  }
  return std::nullopt;
}

std::string_view CompressionName(Compression compression) {
  switch (compression) {
    case Compression::kNone:
      return "";
    case Compression::kLz4:
      return "lz4";
    case Compression::kSnappy:
      return "snappy";
  }
  return "";
}

Status DecompressBody(Compression compression, std::string_view body, size_t size_max,
                      std::string& out) {
  ORRERY_CHECK(compression != Compression::kNone);
  return compression == Compression::kLz4 ? DecompressLz4(body, size_max, out)
                                          : DecompressSnappy(body, size_max, out);
}

bool CompressTail(Compression compression, std::string& out, size_t offset) {
  ORRERY_CHECK(compression != Compression::kNone && offset <= out.size());
  const std::string_view plain = std::string_view(out).substr(offset);
  if (plain.size() < kCompressBytesMin) return false;
  std::string compressed;
  if (compression == Compression::kLz4) {
    AppendInt(compressed, static_cast<int32_t>(plain.size()));
    if (!AppendLz4Block(compressed, plain)) return false;
    if (compressed.size() >= plain.size()) return false;
  } else if (!net::AppendCompressed(net::BlockFormat::kSnappy, plain, compressed)) {
    return false;
  }
  out.replace(offset, std::string::npos, compressed);
  return true;
}

bool AppendLz4Block(std::string& out, std::string_view plain) {
  if (plain.empty() || plain.size() > LZ4_MAX_INPUT_SIZE) return false;
  const size_t start = out.size();
  // One byte less than the input: lz4 then says by itself when compressing does not pay.
  const size_t size_max = plain.size() - 1;
  out.resize(start + size_max);
  const int size = LZ4_compress_default(plain.data(), out.data() + start,
                                        static_cast<int>(plain.size()), static_cast<int>(size_max));
  out.resize(start + static_cast<size_t>(std::max(size, 0)));
  return size > 0;
}

Status DecompressLz4Block(std::string_view block, size_t size, std::string& out) {
  if (block.size() > LZ4_MAX_INPUT_SIZE || size > LZ4_MAX_INPUT_SIZE) {
    return Fail(Code::kInvalidArgument, "An lz4 block is too large");
  }
  out.resize(size);
  const int read = LZ4_decompress_safe(block.data(), out.data(), static_cast<int>(block.size()),
                                       static_cast<int>(size));
  if (read < 0 || static_cast<size_t>(read) != size) {
    return Fail(Code::kInvalidArgument,
                fmt::format("An lz4 block does not hold the {} bytes that it announces", size));
  }
  return {};
}

void ReleaseLarge(std::string& plain) {
  // Assigning an empty string would keep the memory.
  if (plain.capacity() > kKeptPlainBytes) std::string().swap(plain);
}

}  // namespace orrery::cassandra
