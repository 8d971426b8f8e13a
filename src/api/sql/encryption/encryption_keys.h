// The keys that clients encrypt properties with before they send them, as they are kept with a
// database and as clients see them. A key comes wrapped by another one, which this server never
// sees: it keeps what it is given.
//
//   kept := "encryptionKeys": [ {"id", "number", "version", "time", "encryptionAlgorithm",
//                                "wrappedDataEncryptionKey", "keyWrapMetadata"} ]
//
// Numbers become rids, versions etags. A key is never deleted: what it has encrypted may still be
// there. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "gateway/catalog/catalog_entries.h"
#include "model/document/document.h"
#include "model/value.h"

namespace orrery::sql {

inline constexpr size_t kEncryptionKeysMax = 20;  // of one database

struct EncryptionKey {
  std::string id;
  uint32_t number = 0;   // from 1
  uint32_t version = 0;  // raised by each change
  int64_t time_s = 0;
  std::string algorithm;
  std::string wrapped;    // the key, base64
  model::Value metadata;  // an object: who can unwrap it

  friend bool operator==(const EncryptionKey&, const EncryptionKey&) = default;
};
// {"id","encryptionAlgorithm","wrappedDataEncryptionKey","keyWrapMetadata"}. kInvalidArgument says
// what is wrong.
Result<EncryptionKey> EncryptionKeyFrom(model::DocumentView body);

class EncryptionKeys {
 public:
  static EncryptionKeys Of(const std::optional<model::Document>& extra);
  // `extra` with these keys in it.
  model::Document PutInto(const std::optional<model::Document>& extra) const;

  const std::vector<EncryptionKey>& keys() const { return keys_; }
  // By id or by rid; null when there is none.
  EncryptionKey* Find(DatabaseId database, std::string_view id);
  bool Has(std::string_view id) const;

  // The key as it is then. kAlreadyExists when the id is taken; kForbidden beyond the limit.
  Result<EncryptionKey> Add(EncryptionKey key, int64_t time_s);
  // Wraps a key anew. kInvalidArgument when the body names another one.
  static Status Replace(EncryptionKey& key, EncryptionKey next, int64_t time_s);

 private:
  std::vector<EncryptionKey> keys_;
};

std::string EncryptionKeyEtag(const EncryptionKey& key);
model::Value SeenEncryptionKey(DatabaseId database, const EncryptionKey& key);

}  // namespace orrery::sql
