#include "net/rpc/frame/rpc_error.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <utility>

#include "base/bytes.h"

namespace orrery::net {
namespace {

std::optional<Code> CodeNamed(std::string_view name) {
  for (uint8_t i = 0; i <= std::to_underlying(Code::kInternal); ++i) {
    if (CodeName(static_cast<Code>(i)) == name) return static_cast<Code>(i);
  }
  return std::nullopt;
}

}  // namespace

std::string EncodeRpcError(const Error& error) {
  std::string bytes;
  AppendBigEndian(bytes, error.retry_after_ms());
  const std::string_view name = CodeName(error.code());
  AppendBigEndian(bytes, static_cast<uint8_t>(name.size()));
  bytes += name;
  return bytes += std::string_view(error.message()).substr(0, kRpcErrorMessageBytesMax);
}

Error DecodeRpcError(std::string_view bytes) {
  ByteReader reader(bytes);
  uint32_t retry_after_ms = 0;
  uint8_t size = 0;
  std::string_view name;
  if (!reader.ReadBigEndian(retry_after_ms) || !reader.ReadBigEndian(size) ||
      !reader.ReadBytes(size, name)) {
    return Error(Code::kInternal, "the peer answered with an error that cannot be read");
  }
  std::string message(reader.rest().substr(0, kRpcErrorMessageBytesMax));
  const std::optional<Code> code = CodeNamed(name);
  if (!code) return Error(Code::kInternal, fmt::format("{}: {}", name, message));
  if (*code == Code::kThrottled) return Error::Throttled(std::move(message), retry_after_ms);
  return Error(*code, std::move(message));
}

}  // namespace orrery::net
