// A LogCheck tells the torn end of a write-ahead log from damage in its middle.
//
// A power cut leaves the last, unacknowledged write incomplete or garbled: dropping it is right.
// Damage with whole writes after it means that acknowledged writes are gone: that must be an error,
// unless they were acknowledged unsynced. RocksDB's recovery modes either refuse both or drop both,
// so this runs first; log_repair.h decides what becomes of the log.
//
// RocksDB's log format, which this reads and nothing here writes:
//   log      := block*                      ; 32 KB each, the last may be shorter
//   block    := fragment* padding           ; padding: fewer than 7 zero bytes, or what was never
//                                             written of a log that had its size before
//                                             (recycled_logs.h)
//   fragment := crc:uint32 length:uint16 type:uint8 payload
//   type     := 1 whole record | 2 its first | 3 a middle | 4 its last fragment
//   crc      := masked CRC-32C of type and payload; numbers are little-endian
//   record   := sequence:uint64 count:uint32 change*count    ; in a write-ahead log
//
// Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace orrery::storage {

class LogCheck {
 public:
  static constexpr size_t kBlockBytes = 32 << 10;
  using OnRecord = std::function<void(std::string_view record)>;

  // `on_record` is called with each record of the sound part, in order.
  explicit LogCheck(OnRecord on_record = nullptr) : on_record_(std::move(on_record)) {}

  // The log's blocks in order. REQUIRES: each but the last has kBlockBytes.
  void Feed(std::string_view block);

  // The offset of the first damage that has a whole record after it; nullopt when the log is sound
  // up to its possibly torn end.
  std::optional<uint64_t> damage() const;
  // Returns the end of the sound part when the end is torn or something before it is damaged.
  std::optional<uint64_t> torn() const;

  // Returns the end of the last whole record of the sound part.
  uint64_t sound_end() const { return sound_end_; }

  // Positions in the write order, of a write-ahead log: of the first record of the sound part, and
  // of what must follow its last. None without a record.
  std::optional<uint64_t> first_sequence() const { return first_sequence_; }
  std::optional<uint64_t> next_sequence() const { return next_sequence_; }

 private:
  static constexpr size_t kRecordHeaderBytes = 12;

  void Accept(uint8_t type, uint64_t offset, std::string_view payload);
  void MarkBad(uint64_t offset);
  // Returns whether the log may end at `offset`, as only zeros follow in its block.
  bool MayEnd(uint64_t offset, std::string_view rest);
  void NotePosition();

  uint64_t block_offset_ = 0;
  uint64_t record_offset_ = 0;  // of the open record's first fragment
  uint64_t sound_end_ = 0;
  bool in_record_ = false;  // the first fragment was seen, the last one not yet
  bool whole_after_bad_ = false;
  std::optional<uint64_t> first_bad_;
  std::optional<uint64_t> blank_;  // from here on there were only zeros
  OnRecord on_record_;
  // The open record as far as it was seen; without on_record_ only its header.
  std::string record_;
  std::optional<uint64_t> first_sequence_;
  std::optional<uint64_t> next_sequence_;
};

}  // namespace orrery::storage
