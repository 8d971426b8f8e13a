// The bench's entities, made from their numbers. Loader and generator agree on them by this.
//
//   {"PartitionKey":"part-0000000000","RowKey":"row-000000000042","number":42,"shelf":4,
//    "value":"<text>"}
//
// A hundred neighbours share a partition, ten of them a shelf: the order of keys is that of
// numbers. The text is one that compression hardly shrinks.
//
// Immutable after construction; shared between threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace orrery::bench {

class EntityMaker {
 public:
  static constexpr uint64_t kOfOnePartition = 100;
  static constexpr uint64_t kOfOneShelf = 10;
  // Properties are 32-bit: numbers beyond this begin again.
  static constexpr uint64_t kNumbersMax = 2'000'000'000;

  explicit EntityMaker(size_t value_bytes);

  size_t value_bytes() const { return value_bytes_; }
  static std::string PartitionKeyOf(uint64_t number);
  static std::string RowKeyOf(uint64_t number);
  static uint64_t ShelfOf(uint64_t number) { return number % kNumbersMax / kOfOneShelf; }
  void AppendEntity(uint64_t number, std::string& out) const;

 private:
  const size_t value_bytes_;
  std::string pool_;  // values are pieces of it
};

}  // namespace orrery::bench
