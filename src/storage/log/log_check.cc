#include "storage/log/log_check.h"

#include "base/crc32c.h"

namespace orrery::storage {
namespace {

constexpr size_t kHeaderBytes = 7;
constexpr size_t kTypeOffset = 6;
enum FragmentType : uint8_t { kWhole = 1, kFirst = 2, kMiddle = 3, kLast = 4 };

uint32_t Byte(std::string_view bytes, size_t at) { return static_cast<uint8_t>(bytes[at]); }

uint32_t Mask(uint32_t crc) { return ((crc >> 15) | (crc << 17)) + 0xa282ead8u; }

bool IsBlank(std::string_view bytes) {
  return bytes.find_first_not_of('\0') == std::string_view::npos;
}

// The size of the sound fragment at the start of `bytes`, or 0.
size_t SoundFragment(std::string_view bytes) {
  if (bytes.size() < kHeaderBytes) return 0;
  const uint32_t type = Byte(bytes, kTypeOffset);
  if (type < kWhole || type > kLast) return 0;
  const size_t length = Byte(bytes, 4) | Byte(bytes, 5) << 8;
  if (length > bytes.size() - kHeaderBytes) return 0;
  const uint32_t stored =
      Byte(bytes, 0) | Byte(bytes, 1) << 8 | Byte(bytes, 2) << 16 | Byte(bytes, 3) << 24;
  if (Mask(Crc32c(0, bytes.substr(kTypeOffset, length + 1))) != stored) return 0;
  return kHeaderBytes + length;
}

}  // namespace

void LogCheck::Feed(std::string_view block) {
  if (blank_.has_value() && !IsBlank(block)) {
    MarkBad(*blank_);
    blank_.reset();
  }
  size_t at = blank_.has_value() ? block.size() : 0;
  while (block.size() - at >= kHeaderBytes) {
    const size_t size = SoundFragment(block.substr(at));
    if (size > 0) {
      Accept(static_cast<uint8_t>(Byte(block, at + kTypeOffset)), block_offset_ + at,
             block.substr(at + kHeaderBytes, size - kHeaderBytes));
      at += size;
      continue;
    }
    if (MayEnd(block_offset_ + at, block.substr(at))) {
      at = block.size();
      break;
    }
    // The length cannot be trusted: look for the next sound fragment at every byte.
    MarkBad(in_record_ ? record_offset_ : block_offset_ + at);
    in_record_ = false;
    do {
      ++at;
    } while (block.size() - at >= kHeaderBytes && SoundFragment(block.substr(at)) == 0);
  }
  // A whole block ends in padding; the log's end, in the beginning of a fragment that was cut off.
  if (at < block.size() && block.size() < kBlockBytes)
    MarkBad(in_record_ ? record_offset_ : block_offset_ + at);
  block_offset_ += block.size();
}

bool LogCheck::MayEnd(uint64_t offset, std::string_view rest) {
  if (in_record_ || first_bad_.has_value() || !IsBlank(rest)) return false;
  blank_ = offset;
  return true;
}

void LogCheck::Accept(uint8_t type, uint64_t offset, std::string_view payload) {
  const bool starts = type == kWhole || type == kFirst;
  // A record that never ended, or a fragment without its beginning.
  if (starts == in_record_) MarkBad(in_record_ ? record_offset_ : offset);
  if (starts) {
    record_offset_ = offset;
    record_.clear();
  }
  const size_t wanted = on_record_ ? payload.size() : kRecordHeaderBytes - record_.size();
  record_ += payload.substr(0, wanted);
  const bool complete = type == kWhole || (type == kLast && in_record_);
  if (complete && first_bad_.has_value()) whole_after_bad_ = true;
  if (complete && !first_bad_.has_value()) {
    sound_end_ = offset + kHeaderBytes + payload.size();
    NotePosition();
    if (on_record_) on_record_(record_);
  }
  in_record_ = type == kFirst || (type == kMiddle && in_record_);
}

void LogCheck::NotePosition() {
  if (record_.size() < kRecordHeaderBytes) return;
  uint64_t sequence = 0;
  for (size_t i = 0; i < 8; ++i) sequence |= uint64_t{Byte(record_, i)} << (8 * i);
  uint64_t count = 0;
  for (size_t i = 0; i < 4; ++i) count |= uint64_t{Byte(record_, 8 + i)} << (8 * i);
  if (!first_sequence_.has_value()) first_sequence_ = sequence;
  next_sequence_ = sequence + count;
}

void LogCheck::MarkBad(uint64_t offset) {
  if (!first_bad_.has_value()) first_bad_ = offset;
}

std::optional<uint64_t> LogCheck::torn() const {
  if (!first_bad_.has_value() && in_record_) return record_offset_;
  return first_bad_;
}

std::optional<uint64_t> LogCheck::damage() const {
  return whole_after_bad_ ? first_bad_ : std::nullopt;
}

}  // namespace orrery::storage
