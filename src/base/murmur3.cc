#include "base/murmur3.h"

#include <bit>
#include <cstring>

#include "base/scramble.h"

namespace orrery {
namespace {

constexpr uint64_t kFirstFactor = 0x87c37b91114253d5;
constexpr uint64_t kSecondFactor = 0x4cf5ad432745937f;

template <typename T>
T LoadLittleEndian(const char* data) {
  T value;
  std::memcpy(&value, data, sizeof(T));
  if constexpr (std::endian::native == std::endian::big) value = std::byteswap(value);
  return value;
}

uint64_t MixFirst(uint64_t k) { return std::rotl(k * kFirstFactor, 31) * kSecondFactor; }
uint64_t MixSecond(uint64_t k) { return std::rotl(k * kSecondFactor, 33) * kFirstFactor; }

// Up to eight bytes as a little-endian number. `Byte` is int8_t or uint8_t: a negative byte fills
// everything above it with ones, which is what Cassandra's Java does.
template <typename Byte>
uint64_t LoadTail(std::string_view bytes) {
  uint64_t k = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const auto extended = static_cast<uint64_t>(static_cast<int64_t>(static_cast<Byte>(bytes[i])));
    k ^= extended << (8 * i);
  }
  return k;
}

template <typename TailByte>
Hash128 Hash(std::string_view bytes) {
  uint64_t h1 = 0;
  uint64_t h2 = 0;
  const uint64_t size = bytes.size();

  while (bytes.size() >= 16) {
    h1 ^= MixFirst(LoadLittleEndian<uint64_t>(bytes.data()));
    h1 = (std::rotl(h1, 27) + h2) * 5 + 0x52dce729;
    h2 ^= MixSecond(LoadLittleEndian<uint64_t>(bytes.data() + 8));
    h2 = (std::rotl(h2, 31) + h1) * 5 + 0x38495ab5;
    bytes.remove_prefix(16);
  }
  if (bytes.size() > 8) {
    h2 ^= MixSecond(LoadTail<TailByte>(bytes.substr(8)));
    bytes = bytes.substr(0, 8);
  }
  h1 ^= MixFirst(LoadTail<TailByte>(bytes));

  h1 ^= size;
  h2 ^= size;
  h1 += h2;
  h2 += h1;
  h1 = Scramble(h1);
  h2 = Scramble(h2);
  h1 += h2;
  h2 += h1;
  return {h1, h2};
}

}  // namespace

Hash128 Murmur3(std::string_view bytes) { return Hash<uint8_t>(bytes); }

Hash128 CassandraMurmur3(std::string_view bytes) { return Hash<int8_t>(bytes); }

uint32_t Murmur3Short(std::string_view bytes) {
  constexpr uint32_t kC1 = 0xcc9e2d51;
  constexpr uint32_t kC2 = 0x1b873593;
  const auto mix = [](uint32_t k) { return std::rotl(k * kC1, 15) * kC2; };
  const auto size = static_cast<uint32_t>(bytes.size());

  uint32_t h = 0;
  while (bytes.size() >= 4) {
    h ^= mix(LoadLittleEndian<uint32_t>(bytes.data()));
    h = std::rotl(h, 13) * 5 + 0xe6546b64;
    bytes.remove_prefix(4);
  }
  h ^= mix(static_cast<uint32_t>(LoadTail<uint8_t>(bytes)));

  h ^= size;
  h ^= h >> 16;
  h *= 0x85ebca6b;
  h ^= h >> 13;
  h *= 0xc2b2ae35;
  h ^= h >> 16;
  return h;
}

}  // namespace orrery
