// Reads the notations that message bodies are written in, out of bytes that a stranger sent.
//
//   [byte] [short] [int] [long]   1, 2, 4, 8 bytes, big-endian; byte and short unsigned
//   [string]          := [short] n, n bytes of UTF-8
//   [long string]     := [int] n >= 0, n bytes of UTF-8
//   [uuid]            := 16 bytes
//   [string list]     := [short] n, n x [string]
//   [bytes]           := [int] n, n bytes; n < 0 is null
//   [value]           := [int] n, n bytes; -1 is null; v4 on: -2 is unset, less is an error
//   [short bytes]     := [short] n, n bytes
//   [inetaddr]        := [byte] 4 or 16, that many bytes
//   [inet]            := [inetaddr], port [int]
//   [consistency]     := [short]
//   [string map]      := [short] n, n x ([string] [string])
//   [string multimap] := [short] n, n x ([string] [string list])
//   [bytes map]       := [short] n, n x ([string] [bytes])
//
// The first failure sticks: from then on every read gives zero or nothing, and status() says what
// was wrong and where. So a decoder reads a whole message and asks once, at the end; only what a
// read value *decides* (a kind, a count of expensive things) must be checked with ok() before.
//
// Views point into the body, which must outlive them. A list never reserves more than the bytes
// that are left could hold. Not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/protocol/body/primitives.h"
#include "api/cassandra/protocol/consistency.h"
#include "api/cassandra/protocol/protocol_version.h"
#include "base/status.h"

namespace orrery::cassandra {

class BodyReader {
 public:
  explicit BodyReader(std::string_view body) : body_(body) {}

  bool ok() const { return failure_.empty(); }
  // kInvalidArgument with the text of the first failure.
  Status status() const;
  size_t remaining() const { return body_.size() - position_; }

  // Makes the reader fail from here on, for what a decoder finds wrong itself. The first text
  // stays.
  void Refuse(std::string text);

  uint8_t Byte();
  uint16_t Short();
  int32_t Int();
  int64_t Long();
  std::string_view String();
  std::string_view LongString();
  Uuid ReadUuid();
  std::optional<std::string_view> Bytes();
  BoundValue Value(ProtocolVersion version);
  std::string_view ShortBytes();
  InetAddress Address();
  InetEndpoint Endpoint();
  Consistency Level();
  std::vector<std::string_view> StringList();
  StringMap ReadStringMap();
  StringMultimap ReadStringMultimap();
  std::vector<PayloadEntry> BytesMap();

 private:
  template <typename T>
  T Fixed(std::string_view what);
  std::string_view Take(size_t size, std::string_view what);
  std::string_view TakeText(size_t size, std::string_view what);
  void RefuseShort(std::string_view what, uint64_t size);
  // Returns how many elements to reserve for: the announced count, unless the bytes left cannot
  // hold it.
  size_t PlausibleCount(size_t announced, size_t element_bytes_min) const;

  std::string_view body_;
  size_t position_ = 0;
  std::string failure_;
};

}  // namespace orrery::cassandra
