// An ImportState records which segments of an archive one server has already: kept beside the
// archive, so that an interrupted import goes on where it was.
//
// A text file with a line "container segment" for each. It only saves work: a segment that is
// written twice does no harm, and whether everything arrived is found out by the digests.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/status.h"

namespace orrery::cli {

inline constexpr size_t kImportStateBytesMax = size_t{64} << 20;

class ImportState {
 public:
  // Of the archive at that path, into `target`: an address, or a data directory. Empty when there
  // is none yet.
  static Result<ImportState> Load(const std::string& archive, std::string_view target);

  bool Has(uint32_t container, uint32_t segment) const {
    return done_.contains({container, segment});
  }
  // Written at once.
  Status Add(uint32_t container, uint32_t segment);
  // The container is new on the server: nothing of it can be there.
  void Forget(uint32_t container);
  // Everything is there and was verified.
  void Remove() const;

 private:
  explicit ImportState(std::string path) : path_(std::move(path)) {}

  std::string path_;
  std::set<std::pair<uint32_t, uint32_t>> done_;
};

}  // namespace orrery::cli
