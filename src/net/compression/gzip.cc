#include "net/compression/gzip.h"

#include <zlib.h>

#include <algorithm>

namespace orrery::net {
namespace {

// The window of zlib's largest streams, and that it must be gzip around them.
constexpr int kGzipWindowBits = 15 + 16;
constexpr size_t kGzipStepBytes = 64 << 10;

}  // namespace

Result<std::string> UnpackGzip(std::string_view gzip, size_t size_max) {
  z_stream stream{};
  if (inflateInit2(&stream, kGzipWindowBits) != Z_OK)
    return Fail(Code::kResourceExhausted, "no memory to unpack gzip");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(gzip.data()));
  stream.avail_in = static_cast<uInt>(gzip.size());
  std::string plain;
  int result = Z_OK;
  while (result == Z_OK && plain.size() <= size_max) {
    const size_t start = plain.size();
    plain.resize(start + kGzipStepBytes);
    stream.next_out = reinterpret_cast<Bytef*>(plain.data() + start);
    stream.avail_out = kGzipStepBytes;
    result = inflate(&stream, Z_NO_FLUSH);
    plain.resize(plain.size() - stream.avail_out);
  }
  const bool is_whole = result == Z_STREAM_END && stream.avail_in == 0;
  inflateEnd(&stream);
  if (!is_whole || plain.size() > size_max)
    return Fail(Code::kInvalidArgument, "a gzip body is malformed, cut off or too large");
  return plain;
}

}  // namespace orrery::net
