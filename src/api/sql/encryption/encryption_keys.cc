#include "api/sql/encryption/encryption_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/sql/container/kept_properties.h"
#include "api/sql/document/etag.h"
#include "api/sql/resource/resource_id.h"

namespace orrery::sql {
namespace {

using model::Kind;
using model::Value;

constexpr std::string_view kField = "encryptionKeys";
constexpr std::string_view kAlgorithmField = "encryptionAlgorithm";
constexpr std::string_view kWrapped = "wrappedDataEncryptionKey";
constexpr std::string_view kMetadata = "keyWrapMetadata";

Value ObjectOf(const Value& object, std::string_view name) {
  const Value* value = object.Find(name);
  return value != nullptr && value->kind() == Kind::kObject ? *value : Value();
}

std::string RidOf(DatabaseId database, const EncryptionKey& key) {
  return FormatRid(ResourceId::EncryptionKey(database.value(), key.number));
}

}  // namespace

Result<EncryptionKey> EncryptionKeyFrom(model::DocumentView body) {
  const Value sent = body.ToObject();
  EncryptionKey key;
  key.id = TextField(sent, "id");
  ORRERY_TRY(gateway::ValidateName("client encryption key", key.id));
  key.algorithm = TextField(sent, kAlgorithmField);
  key.wrapped = TextField(sent, kWrapped);
  key.metadata = ObjectOf(sent, kMetadata);
  if (key.algorithm.empty())
    return Fail(Code::kInvalidArgument, "'encryptionAlgorithm' is required and must be a string");
  if (key.wrapped.empty())
    return Fail(Code::kInvalidArgument,
                "'wrappedDataEncryptionKey' is required and must be a string in base64");
  if (key.metadata.is_undefined())
    return Fail(Code::kInvalidArgument, "'keyWrapMetadata' is required and must be an object");
  return key;
}

EncryptionKeys EncryptionKeys::Of(const std::optional<model::Document>& extra) {
  EncryptionKeys keys;
  const Value listed = KeptProperty(extra, kField);
  if (listed.kind() != Kind::kArray) return keys;
  for (const Value& kept : listed.AsValues()) {
    EncryptionKey key;
    key.id = TextField(kept, "id");
    key.number = static_cast<uint32_t>(NumberField(kept, "number"));
    key.version = static_cast<uint32_t>(NumberField(kept, "version"));
    key.time_s = NumberField(kept, "time");
    key.algorithm = TextField(kept, kAlgorithmField);
    key.wrapped = TextField(kept, kWrapped);
    key.metadata = ObjectOf(kept, kMetadata);
    keys.keys_.push_back(std::move(key));
  }
  return keys;
}

model::Document EncryptionKeys::PutInto(const std::optional<model::Document>& extra) const {
  model::Values listed;
  for (const EncryptionKey& key : keys_) {
    listed.push_back(Value::Object({{"id", Value::String(key.id)},
                                    {"number", Value::Int64(key.number)},
                                    {"version", Value::Int64(key.version)},
                                    {"time", Value::Int64(key.time_s)},
                                    {std::string(kAlgorithmField), Value::String(key.algorithm)},
                                    {std::string(kWrapped), Value::String(key.wrapped)},
                                    {std::string(kMetadata), key.metadata}}));
  }
  Value kept = KeptProperties(extra);
  SetField(kept, kField, Value::Array(std::move(listed)));
  return WithKeptProperties(extra, kept);
}

EncryptionKey* EncryptionKeys::Find(DatabaseId database, std::string_view id) {
  const auto found = std::ranges::find_if(
      keys_, [&](const EncryptionKey& key) { return key.id == id || RidOf(database, key) == id; });
  return found == keys_.end() ? nullptr : &*found;
}

bool EncryptionKeys::Has(std::string_view id) const {
  return std::ranges::find(keys_, id, &EncryptionKey::id) != keys_.end();
}

Result<EncryptionKey> EncryptionKeys::Add(EncryptionKey key, int64_t time_s) {
  if (Has(key.id)) {
    return Fail(Code::kAlreadyExists,
                fmt::format("there is a client encryption key '{}' already", key.id));
  }
  if (keys_.size() >= kEncryptionKeysMax) {
    return Fail(Code::kForbidden, fmt::format("a database has {} client encryption keys at most",
                                              kEncryptionKeysMax));
  }
  key.number = static_cast<uint32_t>(keys_.size()) + 1;
  key.version = 1;
  key.time_s = time_s;
  keys_.push_back(key);
  return key;
}

Status EncryptionKeys::Replace(EncryptionKey& key, EncryptionKey next, int64_t time_s) {
  if (next.id != key.id) {
    return Fail(Code::kInvalidArgument,
                fmt::format("the id in the body is '{}', the key's is '{}'", next.id, key.id));
  }
  next.number = key.number;
  next.version = key.version + 1;
  next.time_s = time_s;
  key = std::move(next);
  return {};
}

std::string EncryptionKeyEtag(const EncryptionKey& key) {
  return FormatEtag(Lsn(uint64_t{key.number} << 32 | key.version));
}

Value SeenEncryptionKey(DatabaseId database, const EncryptionKey& key) {
  const std::string rid = RidOf(database, key);
  const std::string owner = FormatRid(ResourceId::Database(database.value()));
  return Value::Object(
      {{"id", Value::String(key.id)},
       {std::string(kAlgorithmField), Value::String(key.algorithm)},
       {std::string(kWrapped), Value::String(key.wrapped)},
       {std::string(kMetadata), key.metadata},
       {"_rid", Value::String(rid)},
       {"_self", Value::String(fmt::format("dbs/{}/clientencryptionkeys/{}/", owner, rid))},
       {"_etag", Value::String(EncryptionKeyEtag(key))},
       {"_ts", Value::Int64(key.time_s)}});
}

}  // namespace orrery::sql
