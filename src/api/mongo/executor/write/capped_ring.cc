#include "api/mongo/executor/write/capped_ring.h"

#include <algorithm>
#include <chrono>

namespace orrery::mongo {
namespace {

constexpr char kVersion = 1;
constexpr size_t kStateBytes = 1 + 3 * sizeof(int64_t);
constexpr auto kForEver = std::chrono::hours(24 * 365 * 100);

void AppendWord(std::string& out, int64_t value) {
  for (int shift = 0; shift < 64; shift += 8)
    out += static_cast<char>(static_cast<uint64_t>(value) >> shift);
}

int64_t WordAt(std::string_view bytes, size_t at) {
  uint64_t value = 0;
  for (size_t i = 0; i < 8; ++i)
    value |= static_cast<uint64_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  return static_cast<int64_t>(value);
}

}  // namespace

void RingState::Add(size_t document_bytes) {
  ++documents;
  bytes += static_cast<int64_t>(document_bytes);
}

void RingState::Remove(size_t document_bytes) {
  documents = std::max<int64_t>(documents - 1, 0);
  bytes = std::max<int64_t>(bytes - static_cast<int64_t>(document_bytes), 0);
}

item::Receipt RingState::ToReceipt() const {
  std::string text(1, kVersion);
  AppendWord(text, next);
  AppendWord(text, documents);
  AppendWord(text, bytes);
  return {.name = std::string(kRingReceipt), .bytes = std::move(text), .lifetime = kForEver};
}

std::optional<RingState> RingState::Read(std::string_view bytes) {
  if (bytes.size() != kStateBytes || bytes.front() != kVersion) return std::nullopt;
  return RingState{
      .next = WordAt(bytes, 1), .documents = WordAt(bytes, 9), .bytes = WordAt(bytes, 17)};
}

size_t CappedSizeOf(model::DocumentView stored) {
  const size_t bytes = stored.bson().size();
  return SequenceOf(stored) == 0 ? bytes : bytes - kSequenceBytes;
}

}  // namespace orrery::mongo
