// A ResumableFile is a file of items that is written piece by piece from a source that can be asked
// to go on where it was, so that an interrupted export loses at most one piece.
//
//   DIR/.NAME.part    what is written so far
//   DIR/.NAME.state   "<bytes> <items> <position>": how much of that counts, and where the source
//                     goes on (percent-encoded); replaced as a whole after each piece
//   DIR/NAME          the whole file, when it is finished
//
// Not thread-safe. Errors name the file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace orrery::cli {

class ResumableFile {
 public:
  // Opens what was begun, or begins. The folders above are made.
  static Result<ResumableFile> Open(const std::string& path);
  ~ResumableFile();
  ResumableFile(ResumableFile&& other) noexcept;
  ResumableFile& operator=(ResumableFile&&) = delete;

  // Returns whether the whole file is there: nothing is to be done.
  bool is_finished() const { return file_ < 0; }
  // Returns where the source goes on; empty: at its beginning.
  const std::string& position() const { return position_; }
  uint64_t items() const { return items_; }

  // REQUIRES: it is not finished.
  Status Append(std::string_view bytes, uint64_t items, std::string position);
  Status Finish();

 private:
  explicit ResumableFile(std::string path);
  std::string Beside(std::string_view suffix) const;
  Error Failure(std::string_view what) const;

  std::string path_;
  int file_ = -1;
  uint64_t bytes_ = 0;
  uint64_t items_ = 0;
  std::string position_;
};

// Writes a file at once, by renaming. The folders above are made.
Status WriteWholeFile(const std::string& path, std::string_view text);

}  // namespace orrery::cli
