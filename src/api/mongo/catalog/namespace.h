// A Namespace is the full name of a collection: database and collection, "shop.orders".
#pragma once

#include <string>
#include <string_view>

#include "api/mongo/error/mongo_error.h"

namespace orrery::mongo {

struct Namespace {
  std::string database;
  std::string collection;

  std::string ToString() const { return database + "." + collection; }
  friend bool operator==(const Namespace&, const Namespace&) = default;
};

inline constexpr size_t kDatabaseNameBytesMax = 63;
inline constexpr size_t kNamespaceBytesMax = 255;

// kInvalidNamespace for names that MongoDB refuses.
Outcome CheckDatabaseName(std::string_view name);
// The same for a collection that is to be created, and for names that the catalog cannot keep.
Outcome CheckNewCollectionName(const Namespace& name);
// Checks a name as every command that names a collection does.
Outcome CheckCollectionName(const Namespace& name);

// "db.collection": kInvalidNamespace without a dot or with nothing before or behind it.
Answer<Namespace> ParseNamespace(std::string_view text);

}  // namespace orrery::mongo
