// An IndexSpec is one index of a collection, as createIndexes describes it and listIndexes shows
// it.
//
// The core keeps a NamedIndex over its paths (item/index/index_policy.h), with what
// options leave out of it (sparse, partialFilterExpression), refuse (unique) and say of strings
// (collation). What hides it or makes documents expire is the API's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/mongo/error/mongo_error.h"
#include "gateway/catalog/container_settings.h"
#include "model/document/document.h"

namespace orrery::mongo {

inline constexpr std::string_view kIdIndexName = "_id_";
inline constexpr size_t kIndexesMax = 64;
inline constexpr size_t kIndexFieldsMax = 32;

struct IndexSpec {
  std::string name;
  model::Document key;   // {a: 1, b: -1}
  model::Document spec;  // everything, as listIndexes shows it: {v: 2, key, name, unique, ...}
  uint32_t id = 0;       // of the NamedIndex; 0: the core keeps none

  bool is_unique() const;
  bool is_hidden() const;
  bool is_sparse() const;
  // The first field that is of places (2dsphere or 2d), and whether these are on a plane.
  std::optional<std::string_view> geo_path() const;
  bool is_plane() const;
  bool is_wildcard() const;  // {"$**": 1}, {"a.$**": 1}
  bool is_text() const;      // see text_index.h
  std::optional<int64_t> expire_after_seconds() const;
  std::optional<model::DocumentView> partial_filter() const;
};

// Reads an element of createIndexes. kCannotCreateIndex and others for what is no index.
Answer<IndexSpec> ParseIndexSpec(model::DocumentView spec);
// "a_1_b_-1"
std::string DefaultIndexName(model::DocumentView key);

// The NamedIndex of a spec under that id. An error is that of its options.
Answer<item::NamedIndex> NamedIndexOf(const IndexSpec& spec, uint32_t id);

// Returns whether documents of one shard key alone decide on the uniqueness of its keys: the shard
// key is its first field.
bool IsUniqueWithin(const IndexSpec& spec, std::string_view shard_key);

// Returns what a request for an index means beside the existing ones: nothing to do (true), or a
// new index (false). kIndexOptionsConflict, kIndexKeySpecsConflict.
Answer<bool> IsAlreadyThere(const IndexSpec& wanted, const std::vector<IndexSpec>& indexes);

// {v: 2, key: {_id: 1}, name: "_id_"}
model::Document IdIndexSpec();

}  // namespace orrery::mongo
