#include "api/cassandra/protocol/body/body_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "base/bytes.h"
#include "base/utf8.h"

namespace orrery::cassandra {

Status BodyReader::status() const {
  if (ok()) return {};
  return Fail(Code::kInvalidArgument, failure_);
}

void BodyReader::Refuse(std::string text) {
  if (ok()) failure_ = std::move(text);
  position_ = body_.size();
}

void BodyReader::RefuseShort(std::string_view what, uint64_t size) {
  Refuse(fmt::format("The message body is truncated: {} at byte {} takes {} bytes, {} are left",
                     what, position_, size, remaining()));
}

template <typename T>
T BodyReader::Fixed(std::string_view what) {
  if (remaining() < sizeof(T)) [[unlikely]] {
    RefuseShort(what, sizeof(T));
    return T{};
  }
  const T value = LoadBigEndian<T>(body_.data() + position_);
  position_ += sizeof(T);
  return value;
}

std::string_view BodyReader::Take(size_t size, std::string_view what) {
  if (remaining() < size) [[unlikely]] {
    RefuseShort(what, size);
    return {};
  }
  const std::string_view taken = body_.substr(position_, size);
  position_ += size;
  return taken;
}

std::string_view BodyReader::TakeText(size_t size, std::string_view what) {
  const std::string_view text = Take(size, what);
  if (IsUtf8(text)) return text;
  Refuse(fmt::format("Cannot decode {} at byte {} as UTF-8", what, position_ - size));
  return {};
}

size_t BodyReader::PlausibleCount(size_t announced, size_t element_bytes_min) const {
  return std::min(announced, remaining() / element_bytes_min);
}

uint8_t BodyReader::Byte() { return Fixed<uint8_t>("[byte]"); }
uint16_t BodyReader::Short() { return Fixed<uint16_t>("[short]"); }
int32_t BodyReader::Int() { return Fixed<int32_t>("[int]"); }
int64_t BodyReader::Long() { return Fixed<int64_t>("[long]"); }

std::string_view BodyReader::String() { return TakeText(Short(), "[string]"); }

std::string_view BodyReader::LongString() {
  const int32_t size = Int();
  if (size < 0) {
    Refuse(fmt::format("Invalid length {} of a [long string]", size));
    return {};
  }
  return TakeText(static_cast<size_t>(size), "[long string]");
}

Uuid BodyReader::ReadUuid() {
  Uuid uuid{};
  const std::string_view bytes = Take(uuid.size(), "[uuid]");
  std::copy(bytes.begin(), bytes.end(), uuid.begin());
  return uuid;
}

std::optional<std::string_view> BodyReader::Bytes() {
  const int32_t size = Int();
  if (size < 0) return std::nullopt;
  return Take(static_cast<size_t>(size), "[bytes]");
}

BoundValue BodyReader::Value(ProtocolVersion version) {
  const int32_t size = Int();
  if (size >= 0) {
    return {BoundValue::State::kValue, Take(static_cast<size_t>(size), "[value]")};
  }
  // v3 knew no unset: there every negative length is null.
  if (size == -1 || version < ProtocolVersion::kV4) return {};
  if (size == -2) return {BoundValue::State::kUnset, {}};
  Refuse(fmt::format("Invalid length {} of a [value]", size));
  return {};
}

std::string_view BodyReader::ShortBytes() { return Take(Short(), "[short bytes]"); }

InetAddress BodyReader::Address() {
  InetAddress address;
  address.size = Byte();
  if (address.size != 4 && address.size != 16) {
    Refuse(fmt::format("Invalid length {} of an address", address.size));
    return {};
  }
  const std::string_view bytes = Take(address.size, "[inetaddr]");
  std::copy(bytes.begin(), bytes.end(), address.storage.begin());
  return address;
}

InetEndpoint BodyReader::Endpoint() {
  InetEndpoint endpoint;
  endpoint.address = Address();
  endpoint.port = Int();
  return endpoint;
}

Consistency BodyReader::Level() {
  const uint16_t number = Short();
  const std::optional<Consistency> level = ToConsistency(number);
  if (!level) Refuse(fmt::format("Unknown code {} for a consistency level", number));
  return level.value_or(Consistency::kAny);
}

std::vector<std::string_view> BodyReader::StringList() {
  const size_t count = Short();
  std::vector<std::string_view> list;
  list.reserve(PlausibleCount(count, sizeof(uint16_t)));
  for (size_t i = 0; i < count && ok(); ++i) list.push_back(String());
  return list;
}

StringMap BodyReader::ReadStringMap() {
  const size_t count = Short();
  StringMap map;
  map.reserve(PlausibleCount(count, 2 * sizeof(uint16_t)));
  for (size_t i = 0; i < count && ok(); ++i) {
    const std::string_view key = String();
    map.emplace_back(key, String());
  }
  return map;
}

StringMultimap BodyReader::ReadStringMultimap() {
  const size_t count = Short();
  StringMultimap map;
  map.reserve(PlausibleCount(count, 2 * sizeof(uint16_t)));
  for (size_t i = 0; i < count && ok(); ++i) {
    const std::string_view key = String();
    map.emplace_back(key, StringList());
  }
  return map;
}

std::vector<PayloadEntry> BodyReader::BytesMap() {
  const size_t count = Short();
  std::vector<PayloadEntry> map;
  map.reserve(PlausibleCount(count, sizeof(uint16_t) + sizeof(int32_t)));
  for (size_t i = 0; i < count && ok(); ++i) {
    const std::string_view key = String();
    map.push_back({key, Bytes()});
  }
  return map;
}

}  // namespace orrery::cassandra
