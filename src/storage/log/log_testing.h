// For tests of what reads logs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "base/crc32c.h"
#include "storage/log/log_check.h"

namespace orrery::storage {

// Writes logs as log_check.h describes them.
class LogBuilder {
 public:
  void Add(const std::string& record) {
    size_t at = 0;
    bool first = true;
    do {
      const size_t room = LogCheck::kBlockBytes - bytes_.size() % LogCheck::kBlockBytes;
      if (room < 7) {
        bytes_.append(room, '\0');
        continue;
      }
      const size_t part = std::min(record.size() - at, room - 7);
      const bool last = at + part == record.size();
      Fragment(first ? (last ? 1 : 2) : (last ? 4 : 3), record.substr(at, part));
      at += part;
      first = false;
    } while (at < record.size());
  }
  // A write of `count` changes at `sequence`, with about `bytes` of them.
  void AddBatch(uint64_t sequence, uint32_t count, size_t bytes) {
    std::string record;
    for (int i = 0; i < 8; ++i) record.push_back(static_cast<char>(sequence >> (8 * i)));
    for (int i = 0; i < 4; ++i) record.push_back(static_cast<char>(count >> (8 * i)));
    Add(record + std::string(bytes, 'c'));
  }
  std::string& bytes() { return bytes_; }

 private:
  void Fragment(char type, const std::string& payload) {
    const uint32_t crc = Crc32c(0, type + payload);
    const uint32_t masked = ((crc >> 15) | (crc << 17)) + 0xa282ead8u;
    for (int i = 0; i < 4; ++i) bytes_.push_back(static_cast<char>(masked >> (8 * i)));
    bytes_.push_back(static_cast<char>(payload.size()));
    bytes_.push_back(static_cast<char>(payload.size() >> 8));
    bytes_.push_back(type);
    bytes_ += payload;
  }
  std::string bytes_;
};

}  // namespace orrery::storage
