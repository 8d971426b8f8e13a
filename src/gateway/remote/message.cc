#include "gateway/remote/message.h"

namespace orrery::gateway {

void MessageWriter::Signed(int64_t value) {
  Number((static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63));
}

void MessageWriter::Maybe(const std::optional<std::string>& bytes) {
  Flag(bytes.has_value());
  if (bytes.has_value()) Bytes(*bytes);
}

void MessageWriter::Range(const partition::HashRange& range) {
  Hash(range.begin());
  Hash(range.last());
}

uint64_t MessageReader::Number(uint64_t max) {
  uint64_t value = 0;
  ok_ = ok_ && reader_.ReadVarint(value) && value <= max;
  return ok_ ? value : 0;
}

int64_t MessageReader::Signed() {
  const uint64_t value = Number();
  return static_cast<int64_t>((value >> 1) ^ (~(value & 1) + 1));
}

std::string_view MessageReader::Bytes() {
  std::string_view bytes;
  ok_ = ok_ && reader_.ReadLengthPrefixed(bytes);
  return ok_ ? bytes : std::string_view();
}

std::optional<std::string> MessageReader::Maybe() {
  if (!Flag()) return std::nullopt;
  return String();
}

Hash128 MessageReader::Hash() {
  std::string_view bytes;
  ok_ = ok_ && reader_.ReadBytes(Hash128::kBytes, bytes);
  return ok_ ? Hash128::Load(bytes.data()) : Hash128();
}

partition::HashRange MessageReader::Range() {
  const Hash128 begin = Hash();
  const Hash128 last = Hash();
  ok_ = ok_ && begin <= last;
  return ok_ ? partition::HashRange::Inclusive(begin, last) : partition::HashRange();
}

std::string_view MessageReader::Rest() {
  std::string_view rest = reader_.rest();
  reader_ = ByteReader({});
  return ok_ ? rest : std::string_view();
}

Status MessageReader::End() const {
  if (ok_ && reader_.empty()) return {};
  return Fail(Code::kInvalidArgument, "a message of another node is damaged");
}

}  // namespace orrery::gateway
