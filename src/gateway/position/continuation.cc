#include "gateway/position/continuation.h"

#include "base/bytes.h"
#include "base/crc32c.h"
#include "gateway/account/base64.h"

namespace orrery::gateway {
namespace {

constexpr uint8_t kContinuationVersion = 1;
constexpr uint8_t kFromBeginning = 0;
constexpr uint8_t kInnerFollows = 1;

std::unexpected<Error> Malformed() {
  return Fail(
      Code::kInvalidArgument,
      "the continuation token is damaged or not one of this server: send it back exactly as it was "
      "given, or start again without one");
}

bool ReadHash(ByteReader& reader, Hash128& hash) {
  return reader.ReadBigEndian(hash.high) && reader.ReadBigEndian(hash.low);
}

bool ReadPart(ByteReader& reader, Continuation::Part& part) {
  Hash128 begin;
  Hash128 last;
  uint8_t state = 0;
  if (!ReadHash(reader, begin) || !ReadHash(reader, last) || !reader.ReadBigEndian(state))
    return false;
  if (last < begin) return false;
  part.range = partition::HashRange::Inclusive(begin, last);
  if (state == kFromBeginning) return true;
  std::string_view inner;
  if (state != kInnerFollows || !reader.ReadLengthPrefixed(inner)) return false;
  part.inner = std::string(inner);
  return true;
}

bool ReadParts(ByteReader& reader, std::vector<Continuation::Part>& parts) {
  uint64_t count = 0;
  if (!reader.ReadVarint(count) || count > kContinuationPartsMax) return false;
  for (uint64_t i = 0; i < count; ++i) {
    Continuation::Part part;
    if (!ReadPart(reader, part)) return false;
    if (!parts.empty() && part.range.begin() <= parts.back().range.last()) return false;
    parts.push_back(std::move(part));
  }
  return reader.empty();
}

}  // namespace

std::string EncodeFeedPosition(const FeedPosition& position) {
  std::string inner;
  AppendVarint(inner, position.lsn.value());
  if (position.complete_until > Micros(0))
    AppendVarint(inner, static_cast<uint64_t>(position.complete_until.count()));
  return inner;
}

Result<FeedPosition> DecodeFeedPosition(std::string_view inner) {
  ByteReader reader(inner);
  uint64_t lsn = 0;
  uint64_t time = 0;
  if (!reader.ReadVarint(lsn)) return Malformed();
  if (!reader.empty() && (!reader.ReadVarint(time) || time > INT64_MAX)) return Malformed();
  if (!reader.empty()) return Malformed();
  return FeedPosition{Lsn(lsn), Micros(static_cast<int64_t>(time))};
}

std::string EncodeContinuation(const Continuation& continuation) {
  std::string body;
  AppendBigEndian(body, kContinuationVersion);
  AppendBigEndian(body, static_cast<uint8_t>(continuation.kind));
  AppendVarint(body, continuation.container.value());
  AppendBigEndian(body, continuation.shape);
  AppendVarint(body, continuation.turn);
  AppendVarint(body, continuation.parts.size());
  for (const Continuation::Part& part : continuation.parts) {
    part.range.begin().AppendTo(body);
    part.range.last().AppendTo(body);
    AppendBigEndian(body, part.inner.has_value() ? kInnerFollows : kFromBeginning);
    if (part.inner.has_value()) AppendLengthPrefixed(body, *part.inner);
  }
  AppendBigEndian(body, Crc32c(0, body));
  return ToBase64Url(body);
}

Result<Continuation> DecodeContinuation(std::string_view text, ContinuationKind kind,
                                        ContainerId container, uint64_t shape) {
  std::string bytes;
  if (text.size() > kContinuationTextMax || !FromBase64Url(text, bytes)) return Malformed();
  if (bytes.size() < sizeof(uint32_t)) return Malformed();
  const std::string_view body = std::string_view(bytes).substr(0, bytes.size() - sizeof(uint32_t));
  if (LoadBigEndian<uint32_t>(body.data() + body.size()) != Crc32c(0, body)) return Malformed();

  ByteReader reader(body);
  uint8_t version = 0;
  uint8_t stored_kind = 0;
  uint64_t stored_container = 0;
  uint64_t turn = 0;
  Continuation result;
  if (!reader.ReadBigEndian(version)) return Malformed();
  if (version != kContinuationVersion) {
    return Fail(Code::kInvalidArgument,
                "the continuation token was made by another version of the server: start again "
                "without one");
  }
  if (!reader.ReadBigEndian(stored_kind) || !reader.ReadVarint(stored_container) ||
      !reader.ReadBigEndian(result.shape) || !reader.ReadVarint(turn) ||
      turn > kContinuationPartsMax || !ReadParts(reader, result.parts)) {
    return Malformed();
  }
  if (stored_kind != static_cast<uint8_t>(kind)) {
    return Fail(
        Code::kInvalidArgument,
        "the continuation token belongs to another kind of request (a scan's cannot continue a "
        "change feed, nor the reverse)");
  }
  if (stored_container != container.value()) {
    return Fail(
        Code::kInvalidArgument,
        "the continuation token was made for another container, or for one of this name that was "
        "dropped since: start again without one");
  }
  if (result.shape != shape) {
    return Fail(
        Code::kInvalidArgument,
        "the continuation token was made for another request: repeat the request that gave it, "
        "unchanged, or start again without one");
  }
  result.kind = kind;
  result.container = container;
  result.turn = static_cast<uint32_t>(turn);
  return result;
}

}  // namespace orrery::gateway
