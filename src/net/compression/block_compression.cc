#include "net/compression/block_compression.h"

#include <fmt/format.h>
#include <snappy.h>
#include <zlib.h>
#include <zstd.h>

namespace orrery::net {
namespace {

// More than each format can reach, in plain bytes for one that is compressed. Blocks of zstd may
// say of megabytes that they are one byte again and again: they are bounded by the limit alone.
size_t ExpansionMax(BlockFormat format) {
  switch (format) {
    case BlockFormat::kSnappy:
      return 64;
    case BlockFormat::kZlib:
      return 1'040;
    case BlockFormat::kZstd:
      return SIZE_MAX;
  }
  return SIZE_MAX;
}

std::string_view FormatName(BlockFormat format) {
  switch (format) {
    case BlockFormat::kSnappy:
      return "snappy";
    case BlockFormat::kZlib:
      return "zlib";
    case BlockFormat::kZstd:
      return "zstd";
  }
  return "";
}

// Returns how many bytes were written to `out`, or nothing when the block is malformed.
bool FillFrom(BlockFormat format, std::string_view block, std::string& out) {
  switch (format) {
    case BlockFormat::kSnappy: {
      size_t size = 0;
      return snappy::GetUncompressedLength(block.data(), block.size(), &size) &&
             size == out.size() && snappy::RawUncompress(block.data(), block.size(), out.data());
    }
    case BlockFormat::kZlib: {
      uLongf size = out.size();
      uLong taken = block.size();
      return uncompress2(reinterpret_cast<Bytef*>(out.data()), &size,
                         reinterpret_cast<const Bytef*>(block.data()), &taken) == Z_OK &&
             size == out.size() && taken == block.size();
    }
    case BlockFormat::kZstd: {
      const size_t size = ZSTD_decompress(out.data(), out.size(), block.data(), block.size());
      return ZSTD_isError(size) == 0 && size == out.size();
    }
  }
  return false;
}

size_t CompressInto(BlockFormat format, std::string_view plain, char* out, size_t room) {
  switch (format) {
    case BlockFormat::kSnappy: {
      size_t size = 0;
      snappy::RawCompress(plain.data(), plain.size(), out, &size);
      return size;
    }
    case BlockFormat::kZlib: {
      uLongf size = room;
      const int done =
          compress2(reinterpret_cast<Bytef*>(out), &size,
                    reinterpret_cast<const Bytef*>(plain.data()), plain.size(), Z_BEST_SPEED);
      return done == Z_OK ? size : room;
    }
    case BlockFormat::kZstd: {
      const size_t size = ZSTD_compress(out, room, plain.data(), plain.size(), 1);
      return ZSTD_isError(size) == 0 ? size : room;
    }
  }
  return room;
}

size_t CompressedBound(BlockFormat format, size_t plain) {
  switch (format) {
    case BlockFormat::kSnappy:
      return snappy::MaxCompressedLength(plain);
    case BlockFormat::kZlib:
      return compressBound(plain);
    case BlockFormat::kZstd:
      return ZSTD_compressBound(plain);
  }
  return plain;
}

}  // namespace

bool AppendCompressed(BlockFormat format, std::string_view plain, std::string& out) {
  const size_t start = out.size();
  const size_t room = CompressedBound(format, plain.size());
  out.resize(start + room);
  const size_t size = CompressInto(format, plain, out.data() + start, room);
  if (size >= plain.size()) {
    out.resize(start);
    return false;
  }
  out.resize(start + size);
  return true;
}

Status DecompressBlock(BlockFormat format, std::string_view block, size_t size, size_t size_max,
                       std::string& out) {
  if (size > size_max) {
    return Fail(Code::kInvalidArgument,
                fmt::format("A compressed body would have {} bytes, more than the {} allowed", size,
                            size_max));
  }
  if (size / ExpansionMax(format) > block.size()) {
    return Fail(Code::kInvalidArgument,
                fmt::format("A compressed body of {} bytes cannot hold the {} that it announces",
                            block.size(), size));
  }
  out.resize(size);
  if (!FillFrom(format, block, out)) {
    return Fail(
        Code::kInvalidArgument,
        fmt::format("A {} body is malformed or does not hold the {} bytes that it announces",
                    FormatName(format), size));
  }
  return {};
}

Result<size_t> SnappyPlainSize(std::string_view block) {
  size_t size = 0;
  if (!snappy::GetUncompressedLength(block.data(), block.size(), &size))
    return Fail(Code::kInvalidArgument, "A snappy body does not begin with its size");
  return size;
}

}  // namespace orrery::net
