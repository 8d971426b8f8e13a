// A TableWriter makes one table file for Engine::Ingest: add keys in strictly rising order, then
// Finish.
//
// Not thread-safe. The file stays after an error or without Finish; it is the caller's to delete.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"

namespace orrery::storage {

class EngineResources;

class TableWriter {
 public:
  // Replaces a file at `path`, which for Ingest should be on the engine's file system.
  // `resources` must outlive the writer.
  static Result<std::unique_ptr<TableWriter>> Create(EngineResources& resources,
                                                     const std::string& path);
  ~TableWriter();

  // kInvalidArgument when `key` is not beyond the last one.
  Status Add(std::string_view key, std::string_view value);
  // Written so far, before compression of the last block.
  uint64_t bytes() const;
  // Completes the file and makes it durable. kInvalidArgument when nothing was added.
  Status Finish();

 private:
  struct Rep;
  explicit TableWriter(std::unique_ptr<Rep> rep);
  std::unique_ptr<Rep> rep_;
};

}  // namespace orrery::storage
