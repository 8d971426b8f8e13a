// A CommandMaker writes the commands of the generator as OP_MSG messages.
//
//   document := {_id: number, shelf: number / 10, group: number % 100, value: text}
//
// Immutable after construction; shared between threads.
#pragma once

#include <cstdint>
#include <string>

#include "model/document/document.h"
#include "mongo/mongo_options.h"

namespace orrery::bench {

class CommandMaker {
 public:
  static constexpr uint64_t kOfOneBatch = 100;
  static constexpr uint64_t kOfOneShelf = 10;
  static constexpr uint64_t kGroups = 100;

  explicit CommandMaker(const MongoOptions& options);

  void AppendFind(uint32_t id, uint64_t number, std::string& out) const;
  // The documents `first` to `first + count - 1`.
  void AppendInsert(uint32_t id, uint64_t first, uint64_t count, std::string& out) const;
  void AppendUpdate(uint32_t id, uint64_t number, std::string& out) const;
  void AppendIndexedFind(uint32_t id, uint64_t shelf, std::string& out) const;
  // Sums up the documents below `number` by their group.
  void AppendGroup(uint32_t id, uint64_t number, std::string& out) const;
  void AppendDrop(uint32_t id, std::string& out) const;
  void AppendCreateIndex(uint32_t id, std::string& out) const;

  uint64_t value_bytes() const { return value_.size(); }

 private:
  const std::string database_;
  const std::string collection_;
  const std::string value_;
  const bool journal_;
};

}  // namespace orrery::bench
