// Writes the notations of body_reader.h at the end of a growing buffer. Lengths that are known only
// later are left as zero and patched.
//
// Counts and sizes of lists, maps, [short bytes] and [bytes] must fit their length field: that is
// the caller's promise (ORRERY_CHECK), for all of them come from our own schema and limits. Only
// [string] may be fed anything, because error texts quote what clients sent: it is cut at 65,535
// bytes, between characters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "api/cassandra/protocol/body/primitives.h"
#include "api/cassandra/protocol/consistency.h"
#include "base/bytes.h"

namespace orrery::cassandra {

inline constexpr size_t kStringBytesMax = 0xFFFF;

inline void AppendByte(std::string& out, uint8_t value) { out.push_back(static_cast<char>(value)); }
inline void AppendShort(std::string& out, uint16_t value) { AppendBigEndian(out, value); }
inline void AppendInt(std::string& out, int32_t value) { AppendBigEndian(out, value); }
inline void AppendLong(std::string& out, int64_t value) { AppendBigEndian(out, value); }
void AppendString(std::string& out, std::string_view text);
void AppendLongString(std::string& out, std::string_view text);
void AppendUuid(std::string& out, const Uuid& uuid);
void AppendBytes(std::string& out, std::string_view bytes);
void AppendNullableBytes(std::string& out, const std::optional<std::string_view>& bytes);
inline void AppendNullBytes(std::string& out) { AppendInt(out, -1); }
void AppendValue(std::string& out, const BoundValue& value);
void AppendShortBytes(std::string& out, std::string_view bytes);
void AppendAddress(std::string& out, const InetAddress& address);
void AppendEndpoint(std::string& out, const InetEndpoint& endpoint);
inline void AppendConsistency(std::string& out, Consistency consistency) {
  AppendShort(out, static_cast<uint16_t>(consistency));
}
void AppendStringList(std::string& out, std::span<const std::string_view> list);
void AppendStringList(std::string& out, std::span<const std::string> list);
void AppendStringMap(std::string& out, const StringMap& map);
void AppendStringMultimap(std::string& out, const StringMultimap& map);
void AppendBytesMap(std::string& out, std::span<const PayloadEntry> map);

// Overwrites the [int] at `offset`. REQUIRES: four bytes are there.
void PatchInt(std::string& out, size_t offset, int32_t value);

}  // namespace orrery::cassandra
