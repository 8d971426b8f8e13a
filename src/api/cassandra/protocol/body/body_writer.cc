#include "api/cassandra/protocol/body/body_writer.h"

#include <bit>
#include <cstring>
#include <limits>

#include "base/check.h"
#include "base/utf8.h"

namespace orrery::cassandra {
namespace {

void AppendCount(std::string& out, size_t count) {
  ORRERY_CHECK(count <= std::numeric_limits<uint16_t>::max());
  AppendShort(out, static_cast<uint16_t>(count));
}

void AppendSize(std::string& out, size_t size) {
  ORRERY_CHECK(size <= static_cast<size_t>(std::numeric_limits<int32_t>::max()));
  AppendInt(out, static_cast<int32_t>(size));
}

}  // namespace

void AppendString(std::string& out, std::string_view text) {
  const std::string_view cut = Utf8Prefix(text, kStringBytesMax);
  AppendShort(out, static_cast<uint16_t>(cut.size()));
  out.append(cut);
}

void AppendLongString(std::string& out, std::string_view text) { AppendBytes(out, text); }

void AppendUuid(std::string& out, const Uuid& uuid) {
  out.append(reinterpret_cast<const char*>(uuid.data()), uuid.size());
}

void AppendBytes(std::string& out, std::string_view bytes) {
  AppendSize(out, bytes.size());
  out.append(bytes);
}

void AppendNullableBytes(std::string& out, const std::optional<std::string_view>& bytes) {
  if (bytes.has_value()) {
    AppendBytes(out, *bytes);
  } else {
    AppendNullBytes(out);
  }
}

void AppendValue(std::string& out, const BoundValue& value) {
  switch (value.state) {
    case BoundValue::State::kValue:
      return AppendBytes(out, value.bytes);
    case BoundValue::State::kNull:
      return AppendInt(out, -1);
    case BoundValue::State::kUnset:
      return AppendInt(out, -2);
  }
}

void AppendShortBytes(std::string& out, std::string_view bytes) {
  AppendCount(out, bytes.size());
  out.append(bytes);
}

void AppendAddress(std::string& out, const InetAddress& address) {
  AppendByte(out, address.size);
  const std::span<const uint8_t> bytes = address.bytes();
  out.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

void AppendEndpoint(std::string& out, const InetEndpoint& endpoint) {
  AppendAddress(out, endpoint.address);
  AppendInt(out, endpoint.port);
}

void AppendStringList(std::string& out, std::span<const std::string_view> list) {
  AppendCount(out, list.size());
  for (const std::string_view text : list) AppendString(out, text);
}

void AppendStringList(std::string& out, std::span<const std::string> list) {
  AppendCount(out, list.size());
  for (const std::string& text : list) AppendString(out, text);
}

void AppendStringMap(std::string& out, const StringMap& map) {
  AppendCount(out, map.size());
  for (const auto& [key, value] : map) {
    AppendString(out, key);
    AppendString(out, value);
  }
}

void AppendStringMultimap(std::string& out, const StringMultimap& map) {
  AppendCount(out, map.size());
  for (const auto& [key, values] : map) {
    AppendString(out, key);
    AppendStringList(out, values);
  }
}

void AppendBytesMap(std::string& out, std::span<const PayloadEntry> map) {
  AppendCount(out, map.size());
  for (const PayloadEntry& entry : map) {
    AppendString(out, entry.key);
    AppendNullableBytes(out, entry.value);
  }
}

void PatchInt(std::string& out, size_t offset, int32_t value) {
  ORRERY_CHECK(offset + sizeof(value) <= out.size());
  const int32_t wire = std::endian::native == std::endian::little ? std::byteswap(value) : value;
  std::memcpy(out.data() + offset, &wire, sizeof(wire));
}

}  // namespace orrery::cassandra
