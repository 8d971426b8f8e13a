#include "sql/document_maker.h"

#include <fmt/format.h>

#include <iterator>
#include <string_view>

#include "load/key_chooser.h"

namespace orrery::bench {
namespace {

// The number of different values; neighbouring ones overlap but for a character.
constexpr size_t kValuesMax = 65'536;
constexpr uint64_t kPoolSeed = 1;
constexpr std::string_view kLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

}  // namespace

DocumentMaker::DocumentMaker(size_t value_bytes) : value_bytes_(value_bytes) {
  LoadRandom random(kPoolSeed);
  pool_.resize(value_bytes + kValuesMax);
  for (char& letter : pool_) letter = kLetters[random.NextBelow(kLetters.size())];
}

std::string DocumentMaker::IdOf(uint64_t number) { return fmt::format("doc-{:012}", number); }

std::string DocumentMaker::PartitionKeyOf(uint64_t number) {
  return fmt::format("part-{:010}", number / kOfOneKey);
}

void DocumentMaker::AppendDocument(uint64_t number, std::string& out) const {
  fmt::format_to(std::back_inserter(out),
                 R"({{"id":"{}","pk":"{}","number":{},"shelf":{},"value":"{}"}})", IdOf(number),
                 PartitionKeyOf(number), number, ShelfOf(number),
                 std::string_view(pool_).substr(number % kValuesMax, value_bytes_));
}

}  // namespace orrery::bench
