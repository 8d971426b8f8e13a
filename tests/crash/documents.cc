#include "crash/documents.h"

#include <fmt/format.h>

namespace orrery::crash {
namespace {

constexpr size_t kPaddingMin = 40;
constexpr size_t kPaddingMax = 700;

// FNV-1a: the same on every machine.
uint64_t Hash(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  return hash;
}

std::string PaddingOf(std::string_view base) {
  uint64_t state = Hash(base);
  std::string padding(kPaddingMin + state % (kPaddingMax - kPaddingMin), ' ');
  for (char& c : padding) {
    state = state * 6364136223846793005 + 1442695040888963407;
    c = static_cast<char>('a' + (state >> 33) % 26);
  }
  return padding;
}

Result<std::string> TextField(model::DocumentView document, std::string_view name) {
  const auto field = document.Find(name);
  if (!field || field->kind() != model::Kind::kString) {
    return Fail(Code::kCorruption, fmt::format("an item has no '{}'", name));
  }
  return std::string(field->AsString());
}

std::optional<int64_t> NumberField(model::DocumentView document, std::string_view name) {
  const auto field = document.Find(name);
  if (!field || (field->kind() != model::Kind::kInt32 && field->kind() != model::Kind::kInt64))
    return std::nullopt;
  return field->AsInteger();
}

}  // namespace

int BucketOf(std::string_view token) { return static_cast<int>(Hash(token) % kBuckets); }

std::string DocumentJson(const Key& key, std::string_view token, std::optional<uint32_t> ttl_s) {
  return fmt::format(
      R"({{"id":"{}","pk":"{}","token":"{}","base":"{}","bucket":{},"padding":"{}"{}}})", key.id,
      key.partition, token, token, BucketOf(token), PaddingOf(token),
      ttl_s ? fmt::format(",\"ttl\":{}", *ttl_s) : "");
}

std::string PatchJson(std::string_view token) {
  return fmt::format(
      R"([{{"op":"set","path":"/token","value":"{}"}},{{"op":"set","path":"/bucket","value":{}}}])",
      token, BucketOf(token));
}

Result<ParsedDocument> ParseDocument(model::DocumentView document) {
  ParsedDocument parsed;
  ORRERY_ASSIGN(parsed.key.id, TextField(document, "id"));
  ORRERY_ASSIGN(parsed.key.partition, TextField(document, "pk"));
  ORRERY_ASSIGN(parsed.value.token, TextField(document, "token"));
  ORRERY_ASSIGN(parsed.value.base, TextField(document, "base"));
  ORRERY_ASSIGN(const std::string padding, TextField(document, "padding"));
  if (padding != PaddingOf(parsed.value.base) ||
      NumberField(document, "bucket") != BucketOf(parsed.value.token)) {
    return Fail(Code::kCorruption,
                fmt::format("item {} is mixed of several versions: token '{}', base '{}'",
                            Name(parsed.key), parsed.value.token, parsed.value.base));
  }
  if (const auto ttl = NumberField(document, "ttl")) parsed.ttl_s = static_cast<uint32_t>(*ttl);
  return parsed;
}

}  // namespace orrery::crash
