#include "table/entity_maker.h"

#include <fmt/format.h>

#include <iterator>
#include <string_view>

#include "load/key_chooser.h"

namespace orrery::bench {
namespace {

// The number of different values; neighbouring ones overlap but for a character.
constexpr size_t kTextsMax = 65'536;
constexpr uint64_t kTextSeed = 1;
constexpr std::string_view kTextLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

}  // namespace

EntityMaker::EntityMaker(size_t value_bytes) : value_bytes_(value_bytes) {
  LoadRandom random(kTextSeed);
  pool_.resize(value_bytes + kTextsMax);
  for (char& letter : pool_) letter = kTextLetters[random.NextBelow(kTextLetters.size())];
}

std::string EntityMaker::PartitionKeyOf(uint64_t number) {
  return fmt::format("part-{:010}", number / kOfOnePartition);
}

std::string EntityMaker::RowKeyOf(uint64_t number) { return fmt::format("row-{:012}", number); }

void EntityMaker::AppendEntity(uint64_t number, std::string& out) const {
  fmt::format_to(std::back_inserter(out),
                 R"({{"PartitionKey":"{}","RowKey":"{}","number":{},"shelf":{},"value":"{}"}})",
                 PartitionKeyOf(number), RowKeyOf(number), number % kNumbersMax, ShelfOf(number),
                 std::string_view(pool_).substr(number % kTextsMax, value_bytes_));
}

}  // namespace orrery::bench
