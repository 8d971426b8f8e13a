#include "cql/load/row_maker.h"

#include <fmt/format.h>

#include <iterator>

#include "load/key_chooser.h"

namespace orrery::bench {
namespace {

// The number of different values; neighbouring ones overlap but for a byte.
constexpr size_t kValuesMax = 65'536;
constexpr uint64_t kPoolSeed = 1;

}  // namespace

RowMaker::RowMaker(size_t value_bytes) : value_bytes_(value_bytes) {
  LoadRandom random(kPoolSeed);
  pool_.resize(value_bytes + kValuesMax);
  for (char& byte : pool_) byte = static_cast<char>(random.Next());
}

void RowMaker::MakeKey(uint64_t number, std::string& key) {
  key.clear();
  fmt::format_to(std::back_inserter(key), "key-{:012}", number);
}

std::string_view RowMaker::Value(uint64_t number) const {
  return std::string_view(pool_).substr(number % kValuesMax, value_bytes_);
}

}  // namespace orrery::bench
