#include "api/gremlin/parser/program_cache.h"

#include <iterator>
#include <utility>

namespace orrery::gremlin {
namespace {

Value& ArgumentAt(std::vector<ParsedQuery>& queries, const BindingPlace& place) {
  Bytecode& bytecode = queries[place.query].bytecode;
  return (place.in_source ? bytecode.source : bytecode.steps)[place.call].args[place.argument];
}

// False if a binding is missing: the parser says which.
bool PutIn(const ValueMap& bindings, const std::vector<BindingPlace>& places,
           std::vector<ParsedQuery>& queries) {
  for (const BindingPlace& place : places) {
    const Value* value = bindings.Find(place.name);
    if (value == nullptr) return false;
    ArgumentAt(queries, place) = *value;
  }
  return true;
}

}  // namespace

ProgramCache::ProgramCache(size_t bytes_max) : shard_bytes_max_(bytes_max / kShards) {}

Result<std::vector<ParsedQuery>> ProgramCache::Parse(std::string_view text,
                                                     const ParserContext& context) {
  // Names of traversal sources besides g change what a text means.
  const bool is_usual = context.sources.size() == 1 && context.sources.front() == "g";
  const bool may_keep = is_usual && !context.bindings.empty() && text.size() <= kTextBytesMax;
  if (!may_keep) return ParseScript(text, context);
  if (const auto program = Find(text); program != nullptr) {
    std::vector<ParsedQuery> queries = program->queries;
    if (PutIn(context.bindings, program->places, queries)) return queries;
    return ParseScript(text, context);
  }
  BindingUses uses;
  ORRERY_ASSIGN(std::vector<ParsedQuery> queries, ParseScript(text, context, &uses));
  if (!uses.only_places || uses.places.empty()) return queries;
  Program program{.text = std::string(text), .queries = queries, .places = std::move(uses.places)};
  for (const BindingPlace& place : program.places) ArgumentAt(program.queries, place) = Value();
  Keep(std::make_shared<const Program>(std::move(program)));
  return queries;
}

std::shared_ptr<const ProgramCache::Program> ProgramCache::Find(std::string_view text) {
  Shard& shard = ShardOf(text);
  const std::lock_guard lock(shard.mutex);
  const auto found = shard.by_text.find(text);
  if (found == shard.by_text.end()) return nullptr;
  shard.programs.splice(shard.programs.begin(), shard.programs, found->second);
  return *found->second;
}

void ProgramCache::Keep(std::shared_ptr<const Program> program) {
  const size_t bytes = BytesOf(program->text);
  if (bytes > shard_bytes_max_) return;
  Shard& shard = ShardOf(program->text);
  Programs forgotten;  // freed without the mutex
  const std::lock_guard lock(shard.mutex);
  if (shard.by_text.contains(program->text)) return;
  while (shard.bytes + bytes > shard_bytes_max_) {
    const auto last = std::prev(shard.programs.end());
    shard.bytes -= BytesOf((*last)->text);
    shard.by_text.erase((*last)->text);
    forgotten.splice(forgotten.end(), shard.programs, last);
  }
  shard.programs.push_front(std::move(program));
  shard.by_text.emplace(shard.programs.front()->text, shard.programs.begin());
  shard.bytes += bytes;
}

size_t ProgramCache::programs() const {
  size_t count = 0;
  for (const Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    count += shard.programs.size();
  }
  return count;
}

size_t ProgramCache::bytes() const {
  size_t bytes = 0;
  for (const Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    bytes += shard.bytes;
  }
  return bytes;
}

}  // namespace orrery::gremlin
