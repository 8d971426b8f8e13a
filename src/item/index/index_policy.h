// Decides which parts of a document are indexed. Pure.
//
// Two sources, which can stand together: an indexing policy over all paths (SQL, Table, Gremlin:
// included and excluded patterns, the deeper one wins and "/?" beats "/*"), and named definitions
// over chosen paths (MongoDB, Cassandra: CREATE INDEX), which may be compound. Definitions may also
// be of the words of a text, of the terms of texts with weights, of the place of a shape on the
// earth or of vectors. They may leave out documents (sparse, or by a condition), and refuse those
// whose key another document has (unique).
//
// Indexes may also be of values that are computed of a document (computed_values.h): to a policy
// that has them they are fields like others.
//
// A place that the policy names exactly ("/a/b/?" among the included) is indexed in documents that
// have nothing there, too: as undefined.
//
// Values are cut at kIndexValueBytesMax (index_terms.h), but for those of chosen paths, which are
// kept whole: their index is in the exact order of values of any length.
//
// Entries of values are of scalars. Which documents have an array or an object at an indexed place
// is in a second index of that place, of kinds, in containers that keep such.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "item/index/computed_values.h"
#include "item/layout/key_layout.h"
#include "model/expression/expression.h"
#include "model/key/key_codec.h"
#include "model/path/path.h"
#include "model/path/path_pattern.h"
#include "model/search/search_rules.h"
#include "model/text/text_collator.h"
#include "model/vector/vector_measure.h"

namespace orrery::item {

// The kind of terms that a named index has of its paths.
enum class IndexKind : uint8_t {
  kValues,         // their values
  kTerms,          // of one path: the words of the text there (model/text/indexed_terms.h)
  kQuadtreeCells,  // of one path: the cells that cover the shape there (model/spatial/cell_cover.h)
  kVectors,        // of one path: the vector there (index/vector_terms.h)
  kWildcard,       // of one path: all values at or below it (index/wildcard_terms.h)
  kSearchTerms,    // of the whole document: the terms of its texts (model/search/search_rules.h)
};

// The values below its path that a wildcard index has.
struct WildcardRules {
  std::vector<model::Path> paths;  // none: all
  bool excludes = false;           // all but what is at or below the paths

  friend bool operator==(const WildcardRules&, const WildcardRules&) = default;
};

// The way in which vectors are stored and searched.
enum class VectorIndexType : uint8_t {
  kFlat,       // each as floats: all are compared
  kQuantized,  // each in bytes: all are compared, and the best examined
  kSketched,   // each in bytes, and by sketches: few are compared
};
struct VectorRules {
  VectorIndexType type = VectorIndexType::kFlat;
  uint32_t dimensions = 0;  // vectors of others are not in the index
  model::VectorMeasure measure = model::VectorMeasure::kCosine;  // that sketches are made for

  friend bool operator==(const VectorRules&, const VectorRules&) = default;
};

struct NamedIndex {
  uint32_t id = 0;  // never reused within a container
  std::string name;
  std::vector<model::Path> paths;
  std::vector<model::Direction> directions = {};  // one for each path, or none: all rise
  IndexKind kind = IndexKind::kValues;
  VectorRules vectors = {};  // of kVectors
  // Of kValues: two documents of one logical partition do not have the same tuple of values
  // (unique_keys.h).
  bool unique = false;
  bool sparse = false;  // without the documents that have nothing at any of the paths
  // With the documents only that it is true of; none: with all.
  std::optional<model::Expression> only = {};
  // Of kValues: strings are compared by these rules; entries have their keys instead of them
  // (model/text/collated_value.h). Set by SetCollation.
  std::optional<model::CollationRules> collation = {};
  std::shared_ptr<const model::TextCollator> collator = nullptr;
  WildcardRules wildcard = {};     // of kWildcard
  model::SearchRules search = {};  // of kSearchTerms

  model::Direction direction(size_t path) const {
    return directions.empty() ? model::Direction::kAscending : directions[path];
  }
  // Returns whether every document has an entry.
  bool has_all() const { return !sparse && !only.has_value(); }
};
bool operator==(const NamedIndex& a, const NamedIndex& b);
// kInvalidArgument for rules that are none.
Status SetCollation(NamedIndex& index, const model::CollationRules& rules);

// A place that an indexing policy names exactly.
struct ExactPlace {
  std::vector<std::string> fields;
  IndexId index;
};

class IndexPolicy {
 public:
  // Nothing is indexed.
  IndexPolicy() = default;
  // Everything except "/_etag", as a container gets by default.
  static IndexPolicy All();
  // kInvalidArgument unless the root "/*" is in exactly one of the lists, and no pattern in both.
  static Result<IndexPolicy> FromPatterns(const std::vector<std::string>& included,
                                          const std::vector<std::string>& excluded);
  IndexPolicy WithNamed(std::vector<NamedIndex> named) const;
  // With type indexes.
  IndexPolicy WithTypeIndex() const;
  // With values of the automatic indexes over these paths kept whole.
  IndexPolicy WithWholeValues(std::span<const model::Path> paths) const;
  // `values` are what the definitions say.
  IndexPolicy WithComputed(std::vector<ComputedDefinition> definitions,
                           std::shared_ptr<const ComputedValues> values) const;

  // Returns whether a scalar at `place` has an automatic index entry.
  bool Indexes(std::span<const model::PathStep> place) const;
  // Returns whether anything at or below `place` may have one; a walker skips what may not.
  bool MayIndexBelow(std::span<const model::PathStep> place) const;

  // Returns whether a path that Indexes() accepts has a type index, too, unless it is in an array.
  bool has_type_index() const { return has_type_index_; }
  // Returns whether values in that index are kept whole.
  bool KeepsWhole(IndexId index) const;
  const std::vector<ExactPlace>& exact() const { return exact_; }
  const std::vector<NamedIndex>& named() const { return named_; }
  bool has_unique() const { return has_unique_; }  // among the named
  // Null when nothing is computed.
  const ComputedValues* computed() const { return computed_.get(); }
  // Null when nothing of that name is computed.
  const ComputedDefinition* FindComputed(std::string_view name) const;
  bool has_patterns() const { return !patterns_.empty(); }
  bool empty() const { return patterns_.empty() && named_.empty(); }

 private:
  // The included patterns come first.
  std::vector<model::PathPattern> patterns_;
  size_t included_count_ = 0;
  bool has_type_index_ = false;
  std::vector<IndexId> whole_;  // few
  std::vector<ExactPlace> exact_;
  std::vector<NamedIndex> named_;
  bool has_unique_ = false;
  std::vector<ComputedDefinition> definitions_;
  std::shared_ptr<const ComputedValues> computed_;
};

// Computes the id of an automatic index step by step, as a walker goes down a document. All
// elements of an array have the same: "/tags/[]".
class PathIndexHash {
 public:
  PathIndexHash Then(const model::PathStep& step) const;
  IndexId id() const;
  // Of the type index there.
  IndexId kind_id() const;

 private:
  PathIndexHash Add(uint8_t byte) const;

  uint64_t state_ = 0xcbf29ce484222325;
};

// The id of the automatic index over `place`.
IndexId PathIndexId(std::span<const model::PathStep> place);
// That of the type index over `place`, and what it has of an array or an object.
IndexId KindIndexId(std::span<const model::PathStep> place);
model::Value KindValue(model::Kind kind);
IndexId NamedIndexId(uint32_t id);

}  // namespace orrery::item
