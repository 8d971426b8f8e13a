// Says which trials were under way when the process aborts: a check that fails inside the core or
// inside RocksDB ends it without a word about why.
#pragma once

#include <cstddef>
#include <string_view>

namespace orrery::faults {

// While it lives, an abort prints its text. At most kAbortNotesMax at a time; more are not printed.
inline constexpr size_t kAbortNotesMax = 32;

class AbortNote {
 public:
  explicit AbortNote(std::string_view text);
  ~AbortNote();
  AbortNote(const AbortNote&) = delete;
  AbortNote& operator=(const AbortNote&) = delete;

 private:
  size_t slot_;
};

}  // namespace orrery::faults
