// The alphabet of messages between gateways: what every message (envelope.h and the codecs of this
// room) is written and read with.
//
//   number := varint                         ; base/bytes.h
//   signed := varint, zigzag
//   flag   := 00 | 01
//   bytes  := length:varint data
//   maybe  := 00 | 01 bytes
//   hash   := 16 bytes, big-endian
//   range  := begin:hash last:hash
//   time   := signed, microseconds
//   charge := signed, hundredths of a request unit
//
// A reader goes on with empty values after the first thing that is not there, so that a codec is a
// list of fields; End() tells. What it returned before must not be used when End() failed.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/hash128.h"
#include "base/request_units.h"
#include "base/status.h"
#include "partition/map/hash_range.h"

namespace orrery::gateway {

class MessageWriter {
 public:
  void Number(uint64_t value) { AppendVarint(bytes_, value); }
  void Signed(int64_t value);
  void Flag(bool value) { bytes_.push_back(value ? 1 : 0); }
  void Bytes(std::string_view bytes) { AppendLengthPrefixed(bytes_, bytes); }
  void Maybe(const std::optional<std::string>& bytes);
  void Hash(Hash128 hash) { hash.AppendTo(bytes_); }
  void Range(const partition::HashRange& range);
  void Time(Micros time) { Signed(time.count()); }
  void Charge(RequestUnits charge) { Signed(charge.hundredths()); }

  std::string Take() && { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Not thread-safe. What is a view points into the message.
class MessageReader {
 public:
  explicit MessageReader(std::string_view bytes) : reader_(bytes) {}

  uint64_t Number(uint64_t max = UINT64_MAX);
  int64_t Signed();
  bool Flag() { return Number(1) == 1; }
  std::string_view Bytes();
  std::string String() { return std::string(Bytes()); }
  std::optional<std::string> Maybe();
  Hash128 Hash();
  partition::HashRange Range();
  Micros Time() { return Micros(Signed()); }
  RequestUnits Charge() { return RequestUnits::FromHundredths(Signed()); }
  // Returns the number of elements that follow. A count is not trusted with memory: each element
  // takes a byte or more.
  size_t Count() { return static_cast<size_t>(Number(reader_.rest().size())); }
  // One of `last` + 1 kinds, numbered from 0.
  template <typename Kind>
  Kind Choice(Kind last) {
    return static_cast<Kind>(Number(static_cast<uint64_t>(last)));
  }
  // Returns the remaining bytes.
  std::string_view Rest();

  // Marks the message as malformed.
  void Refuse() { ok_ = false; }
  bool ok() const { return ok_; }
  // kInvalidArgument unless everything was there and nothing is left.
  Status End() const;

 private:
  ByteReader reader_;
  bool ok_ = true;
};

}  // namespace orrery::gateway
