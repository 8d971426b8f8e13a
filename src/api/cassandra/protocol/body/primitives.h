// Values that bodies are made of and that C++ has no type for. body_reader.h reads them,
// body_writer.h writes them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace orrery::cassandra {

// Sixteen bytes in wire order.
using Uuid = std::array<uint8_t, 16>;

// A bound value of a statement: [value]. Views the body it was read from.
struct BoundValue {
  enum class State : uint8_t {
    kValue,
    kNull,
    kUnset,  // "leave what is there as it is"; v4 and later
  };
  State state = State::kNull;
  std::string_view bytes;  // empty unless kValue

  bool is_null() const { return state == State::kNull; }
  bool is_unset() const { return state == State::kUnset; }
  friend bool operator==(const BoundValue&, const BoundValue&) = default;
};

// [inetaddr]: 4 or 16 bytes.
struct InetAddress {
  std::array<uint8_t, 16> storage{};
  uint8_t size = 4;

  std::span<const uint8_t> bytes() const { return std::span(storage).first(size); }
  friend bool operator==(const InetAddress&, const InetAddress&) = default;
};

// [inet].
struct InetEndpoint {
  InetAddress address;
  int32_t port = 0;
  friend bool operator==(const InetEndpoint&, const InetEndpoint&) = default;
};

// One entry of a [bytes map], the form of custom payloads. A null value is allowed.
struct PayloadEntry {
  std::string_view key;
  std::optional<std::string_view> value;
  friend bool operator==(const PayloadEntry&, const PayloadEntry&) = default;
};

using StringMap = std::vector<std::pair<std::string_view, std::string_view>>;
using StringMultimap = std::vector<std::pair<std::string_view, std::vector<std::string_view>>>;

}  // namespace orrery::cassandra
