// A ProgramCache parses Gremlin text and remembers what became of it, so that a text which clients
// send again and again with other bindings is parsed once.
//
// Only texts whose bindings are arguments of the steps of a query themselves, as in g.V(x) or
// g.V().has('name', x), are remembered: their values are put in afterwards. A text without bindings
// mostly has its values within and does not come again.
//
// Thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/gremlin/parser/parser.h"

namespace orrery::gremlin {

class ProgramCache {
 public:
  // The longest text that is remembered.
  static constexpr size_t kTextBytesMax = 4 << 10;
  // What a program takes for each byte of its text, and besides, at most.
  static constexpr size_t kBytesPerTextByte = 48;
  static constexpr size_t kBytesPerProgram = 1 << 10;
  static constexpr size_t kBytesMax = 16 << 20;

  explicit ProgramCache(size_t bytes_max = kBytesMax);

  // As ParseScript.
  Result<std::vector<ParsedQuery>> Parse(std::string_view text, const ParserContext& context);

  size_t programs() const;
  size_t bytes() const;

 private:
  struct Program {
    std::string text;
    std::vector<ParsedQuery> queries;  // null where bindings are put in
    std::vector<BindingPlace> places;
  };
  using Programs = std::list<std::shared_ptr<const Program>>;
  struct Shard {
    mutable std::mutex mutex;
    Programs programs;  // latest used first
    std::unordered_map<std::string_view, Programs::iterator> by_text;
    size_t bytes = 0;
  };
  static constexpr size_t kShards = 8;

  static size_t BytesOf(std::string_view text) {
    return kBytesPerProgram + kBytesPerTextByte * text.size();
  }
  Shard& ShardOf(std::string_view text) {
    return shards_[std::hash<std::string_view>()(text) / 7 % kShards];
  }
  std::shared_ptr<const Program> Find(std::string_view text);
  void Keep(std::shared_ptr<const Program> program);

  const size_t shard_bytes_max_;
  std::array<Shard, kShards> shards_;
};

}  // namespace orrery::gremlin
