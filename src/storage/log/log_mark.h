// A file in an engine's directory that names the newest write-ahead log there was when the engine
// was opened last. RocksDB always has that log or a later one; where neither is found the logs were
// taken away, and acknowledged writes with them. RocksDB itself notices only closed logs that are
// missing. Internal to storage/.
//
// Behind that it has a note of how much of one log, the newest at the time, was synced
// (synced_notes.h). A log that is shorter was cut.
//
// The file is not synced: after a power cut an older mark, or none, notices less. A copy of an
// engine (a checkpoint) has none, because it may have no log.
//
//   mark := decimal number of the log, "\n" [anything up to byte 64, note]
//   note := log and size:uint64 crc:uint32       ; big-endian; the log's number modulo 2^24 in the
//                                                  upper 24 bits, its size in the others; CRC-32C
//                                                  of these 8 bytes
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace rocksdb {
class FileSystem;
}

namespace orrery::storage {

inline constexpr std::string_view kLogMark = "NEWEST-LOG";

struct LogNote {
  uint64_t number = 0;
  uint64_t bytes = 0;  // that were synced
};
// Grows with number and bytes.
uint64_t LogNoteWord(const LogNote& note);
// Writes the note into a mark that is there; in vain when there is none.
void WriteLogNote(const std::string& directory, uint64_t word);
// Nothing without one.
std::optional<LogNote> ReadLogNote(rocksdb::FileSystem& file_system, const std::string& directory);

// kCorruption when the logs that the mark speaks of are missing. Before the engine is opened.
Status CheckLogMark(rocksdb::FileSystem& file_system, const std::string& directory);
// Notes the newest log. After the engine was opened. What cannot be written is left as it is.
void SetLogMark(rocksdb::FileSystem& file_system, const std::string& directory);
void ClearLogMark(rocksdb::FileSystem& file_system, const std::string& directory);

}  // namespace orrery::storage
