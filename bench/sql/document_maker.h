// The bench's documents, made from their numbers. Loader and generator agree on them by this.
//
//   {"id":"doc-000000000042","pk":"part-0000000000","number":42,"shelf":4,"value":"<text>"}
//
// A hundred neighbours share a partition key, ten of them a shelf. The text is one that compression
// hardly shrinks.
//
// Immutable after construction; shared between threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace orrery::bench {

class DocumentMaker {
 public:
  static constexpr uint64_t kOfOneKey = 100;
  static constexpr uint64_t kOfOneShelf = 10;

  explicit DocumentMaker(size_t value_bytes);

  size_t value_bytes() const { return value_bytes_; }
  static std::string IdOf(uint64_t number);
  static std::string PartitionKeyOf(uint64_t number);
  static uint64_t ShelfOf(uint64_t number) { return number / kOfOneShelf; }
  void AppendDocument(uint64_t number, std::string& out) const;

 private:
  const size_t value_bytes_;
  std::string pool_;  // values are pieces of it
};

}  // namespace orrery::bench
