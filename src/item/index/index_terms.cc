#include "item/index/index_terms.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "item/index/document_lookup.h"
#include "item/index/vector_terms.h"
#include "item/index/wildcard_terms.h"
#include "model/key/key_codec.h"
#include "model/path/path_pattern.h"
#include "model/spatial/cell_cover.h"
#include "model/spatial/places.h"
#include "model/text/collated_value.h"
#include "model/text/indexed_terms.h"

namespace orrery::item {
namespace {

bool IsNested(const model::ElementView& element) {
  return element.kind() == model::Kind::kObject || element.kind() == model::Kind::kArray;
}

std::unexpected<Error> TooManyTerms() {
  return Fail(Code::kTooLarge,
              "the document has too many indexed values; exclude some of its paths from the index");
}

// Copies a long string only up to the cut of its encoding.
model::Value CutValue(const model::ElementView& element) {
  if (element.kind() == model::Kind::kString && element.AsString().size() > kIndexValueBytesMax) {
    return model::Value::String(std::string(element.AsString().substr(0, kIndexValueBytesMax)));
  }
  return element.ToValue();
}

std::string Encode(const model::Value& value, model::Order order) {
  std::string encoded;
  model::AppendKey(encoded, value, order);
  return encoded;
}

void Cut(std::string& encoded) {
  if (encoded.size() > kIndexValueBytesMax) encoded.resize(kIndexValueBytesMax);
}

// Walks a document once for all automatic indexes.
class PathTermCollector {
 public:
  // `only`: of that index.
  PathTermCollector(const IndexPolicy& policy, model::Order order, std::optional<IndexId> only,
                    std::vector<IndexTerm>& terms)
      : policy_(policy), order_(order), only_(only), terms_(terms) {}

  Status Walk(model::DocumentView document, bool is_array, PathIndexHash above) {
    for (const model::ElementView element : document) {
      place_.push_back(is_array ? model::PathStep::Element()
                                : model::PathStep::Field(element.name()));
      const PathIndexHash here = above.Then(place_.back());
      if (IsNested(element)) {
        ORRERY_TRY(AddKind(element.kind(), here));
        if (policy_.MayIndexBelow(place_)) {
          const bool goes_into_array = element.kind() == model::Kind::kArray;
          arrays_ += goes_into_array ? 1 : 0;
          ORRERY_TRY(Walk(element.AsDocument(), goes_into_array, here));
          arrays_ -= goes_into_array ? 1 : 0;
        }
      } else if ((!only_.has_value() || here.id() == *only_) && policy_.Indexes(place_)) {
        if (terms_.size() == kIndexTermsMax) return TooManyTerms();
        const bool is_whole = policy_.KeepsWhole(here.id());
        std::string value = Encode(is_whole ? element.ToValue() : CutValue(element), order_);
        if (!is_whole) Cut(value);
        terms_.push_back({.index = here.id(), .value = std::move(value)});
      }
      place_.pop_back();
    }
    return {};
  }

 private:
  Status AddKind(model::Kind kind, const PathIndexHash& here) {
    if (!policy_.has_type_index() || arrays_ > 0) return {};
    if (only_.has_value() && here.kind_id() != *only_) return {};
    if (!policy_.Indexes(place_)) return {};
    if (terms_.size() == kIndexTermsMax) return TooManyTerms();
    terms_.push_back({.index = here.kind_id(), .value = Encode(KindValue(kind), order_)});
    return {};
  }

  const IndexPolicy& policy_;
  const model::Order order_;
  const std::optional<IndexId> only_;
  std::vector<IndexTerm>& terms_;
  std::vector<model::PathStep> place_;
  size_t arrays_ = 0;  // that the place is in
};

// Returns whether the document has no value there; arrays are not entered.
bool IsAbsent(model::DocumentView document, std::span<const std::string> fields) {
  const auto found = document.Find(fields.front());
  if (!found.has_value()) return true;
  if (fields.size() == 1) return false;
  return found->kind() != model::Kind::kObject || IsAbsent(found->AsDocument(), fields.subspan(1));
}

Status AddAbsentTerms(const IndexPolicy& policy, model::DocumentView document, model::Order order,
                      std::vector<IndexTerm>& terms) {
  for (const ExactPlace& place : policy.exact()) {
    if (!IsAbsent(document, place.fields)) continue;
    if (terms.size() == kIndexTermsMax) return TooManyTerms();
    terms.push_back({.index = place.index, .value = Encode(model::Value::Undefined(), order)});
  }
  return {};
}

// The encoded values that one path of a named index leads to.
class PathValueCollector {
 public:
  // `collator` may be null.
  PathValueCollector(model::Order order, model::Direction direction,
                     const model::TextCollator* collator)
      : order_(order), direction_(direction), collator_(collator) {}

  Result<std::vector<std::string>> Collect(model::DocumentView document, const model::Path& path) {
    ORRERY_TRY(Follow(document, /*is_array=*/false, path.steps()));
    std::ranges::sort(values_);
    const auto repeated = std::ranges::unique(values_);
    values_.erase(repeated.begin(), repeated.end());
    return std::move(values_);
  }
  // Returns whether the path led to anything.
  bool has_found() const { return has_found_; }

 private:
  Status Add(const model::Value& value) {
    has_found_ = true;
    return Append(value);
  }
  Status Append(const model::Value& value) {
    if (values_.size() == kIndexTermsMax) return TooManyTerms();
    if (collator_ != nullptr) {
      model::AppendKey(values_.emplace_back(), model::CollatedValue(value, *collator_), order_,
                       direction_);
    } else {
      model::AppendKey(values_.emplace_back(), value, order_, direction_);
    }
    return {};
  }

  // In the order of MongoDB no value is equal to null, and only an empty array comes before it.
  Status AddAbsent() {
    return Append(order_ == model::Order::kMongo ? model::Value::Null()
                                                 : model::Value::Undefined());
  }

  Status Follow(model::DocumentView document, bool is_array, std::span<const std::string> steps) {
    if (steps.empty()) return Add(is_array ? document.ToArray() : document.ToObject());
    const auto found = document.Find(steps.front());
    if (found.has_value()) return Reach(*found, steps.subspan(1));
    if (!is_array) return AddAbsent();
    // A path goes through an array into each of its elements.
    if (document.empty()) return Append(model::Value::Undefined());
    for (const model::ElementView element : document) {
      if (element.kind() == model::Kind::kObject) {
        ORRERY_TRY(Follow(element.AsDocument(), /*is_array=*/false, steps));
      } else {
        ORRERY_TRY(AddAbsent());
      }
    }
    return {};
  }

  Status Reach(const model::ElementView& element, std::span<const std::string> steps) {
    if (!steps.empty()) {
      if (IsNested(element)) {
        return Follow(element.AsDocument(), element.kind() == model::Kind::kArray, steps);
      }
      return AddAbsent();
    }
    if (element.kind() != model::Kind::kArray) return Add(ValueOf(element));
    const model::DocumentView elements = element.AsDocument();
    if (elements.empty()) return Add(model::Value::Undefined());
    for (const model::ElementView inner : elements) ORRERY_TRY(Add(ValueOf(inner)));
    return {};
  }

  // The key of a string's beginning is no beginning of its key.
  model::Value ValueOf(const model::ElementView& element) const {
    return collator_ != nullptr ? element.ToValue() : CutValue(element);
  }

  const model::Order order_;
  const model::Direction direction_;
  const model::TextCollator* const collator_;
  std::vector<std::string> values_;
  bool has_found_ = false;
};

Status AddNamedTerms(const NamedIndex& index, model::DocumentView document, model::Order order,
                     std::vector<IndexTerm>& terms) {
  std::vector<std::string> combinations = {""};
  bool has_found = false;
  for (size_t i = 0; i < index.paths.size(); ++i) {
    PathValueCollector collector(order, index.direction(i), index.collator.get());
    ORRERY_ASSIGN(const auto values, collector.Collect(document, index.paths[i]));
    has_found |= collector.has_found();
    if (combinations.size() * values.size() + terms.size() > kIndexTermsMax) return TooManyTerms();
    std::vector<std::string> longer;
    longer.reserve(combinations.size() * values.size());
    for (const std::string& combination : combinations) {
      for (const std::string& value : values) {
        longer.push_back(combination + value);
        Cut(longer.back());
      }
    }
    combinations = std::move(longer);
  }
  if (index.sparse && !has_found) return {};
  for (std::string& value : combinations) {
    terms.push_back({.index = NamedIndexId(index.id), .value = std::move(value)});
  }
  return {};
}

// The values that a text index or of cells has of a document.
std::vector<model::Value> DerivedValues(IndexKind kind, const model::ElementView& element) {
  if (kind == IndexKind::kTerms) {
    if (element.kind() != model::Kind::kString) return {};
    return model::IndexedTermsOf(element.AsString());
  }
  if (element.kind() != model::Kind::kObject) return {};
  return model::IndexedCellsOf(element.ToValue());
}

Status AddVectorTerms(const NamedIndex& index, const model::ElementView& element,
                      std::vector<IndexTerm>& terms) {
  const auto vector = model::VectorOf(element, index.vectors.dimensions);
  if (!vector.has_value()) return {};
  for (IndexTerm& term : VectorTermsOf(index, *vector)) {
    if (terms.size() == kIndexTermsMax) return TooManyTerms();
    terms.push_back(std::move(term));
  }
  return {};
}

// The cells of what a value of a document stands for in MongoDB: a place, or an array of places.
void AddPlaces(const model::Value& value, std::vector<model::Value>& cells) {
  const std::vector<model::Geometry> places = model::PlacesOf(value);
  if (places.empty() && value.kind() == model::Kind::kArray) {
    for (const model::Value& element : value.AsValues()) {
      if (element.kind() != model::Kind::kArray) AddPlaces(element, cells);
    }
    return;
  }
  for (const model::Geometry& place : places) {
    if (!model::IsOnEarth(place)) continue;
    std::ranges::move(model::IndexedCellsOf(place), std::back_inserter(cells));
  }
}

// The cells of all places that a path leads to, through arrays as well.
void FollowToPlaces(model::DocumentView document, std::span<const std::string> steps,
                    std::vector<model::Value>& cells) {
  const auto found = document.Find(steps.front());
  if (!found.has_value() || !IsNested(*found)) return;
  if (steps.size() == 1) return AddPlaces(found->ToValue(), cells);
  if (found->kind() == model::Kind::kObject)
    return FollowToPlaces(found->AsDocument(), steps.subspan(1), cells);
  for (const model::ElementView element : found->AsDocument()) {
    if (element.kind() == model::Kind::kObject)
      FollowToPlaces(element.AsDocument(), steps.subspan(1), cells);
  }
}

Status AddPlaceTerms(const NamedIndex& index, model::DocumentView document, model::Order order,
                     std::vector<IndexTerm>& terms) {
  std::vector<model::Value> cells;
  FollowToPlaces(document, index.paths.front().steps(), cells);
  if (terms.size() + cells.size() > kIndexTermsMax) return TooManyTerms();
  for (const model::Value& cell : cells)
    terms.push_back({.index = NamedIndexId(index.id), .value = Encode(cell, order)});
  return {};
}

Status AddSearchTerms(const NamedIndex& index, model::DocumentView document, model::Order order,
                      std::vector<IndexTerm>& terms) {
  const std::vector<model::Value> values = model::SearchValuesOf(document, index.search);
  if (terms.size() + values.size() > kIndexTermsMax) return TooManyTerms();
  for (const model::Value& value : values)
    terms.push_back({.index = NamedIndexId(index.id), .value = Encode(value, order)});
  return {};
}

Status AddDerivedTerms(const NamedIndex& index, model::DocumentView document, model::Order order,
                       std::vector<IndexTerm>& terms) {
  if (index.kind == IndexKind::kQuadtreeCells && order == model::Order::kMongo)
    return AddPlaceTerms(index, document, order, terms);
  const auto found = FindAt(document, index.paths.front().steps());
  if (!found.has_value()) return {};
  if (index.kind == IndexKind::kVectors) return AddVectorTerms(index, *found, terms);
  const std::vector<model::Value> values = DerivedValues(index.kind, *found);
  if (terms.size() + values.size() > kIndexTermsMax) return TooManyTerms();
  for (const model::Value& value : values)
    terms.push_back({.index = NamedIndexId(index.id), .value = Encode(value, order)});
  return {};
}

void SortAndMark(std::vector<IndexTerm>& terms) {
  std::ranges::sort(terms);
  const auto repeated = std::ranges::unique(terms);
  terms.erase(repeated.begin(), repeated.end());
  for (size_t i = 1; i < terms.size(); ++i) {
    // Readers of vectors know how many terms each has.
    if (terms[i - 1].index == terms[i].index && terms[i].payload.empty() &&
        terms[i - 1].payload.empty()) {
      terms[i - 1].one_of_several = terms[i].one_of_several = true;
    }
  }
}

// Of all indexes, or of one.
Result<std::vector<IndexTerm>> CollectTerms(const IndexPolicy& policy, std::optional<IndexId> only,
                                            model::DocumentView document, model::Order order) {
  std::vector<IndexTerm> terms;
  model::Document with_computed;
  if (policy.computed() != nullptr) {
    with_computed = policy.computed()->AddTo(document);
    document = with_computed.view();
  }
  const bool is_named =
      only.has_value() && std::ranges::any_of(policy.named(), [&](const NamedIndex& index) {
        return NamedIndexId(index.id) == *only;
      });
  if (policy.has_patterns() && !is_named) {
    ORRERY_TRY(PathTermCollector(policy, order, only, terms)
                   .Walk(document, /*is_array=*/false, PathIndexHash()));
    ORRERY_TRY(AddAbsentTerms(policy, document, order, terms));
  }
  for (const NamedIndex& index : policy.named()) {
    if (only.has_value() && NamedIndexId(index.id) != *only) continue;
    if (index.only.has_value() && !model::Matches(*index.only, document)) continue;
    const auto add = index.kind == IndexKind::kValues        ? AddNamedTerms
                     : index.kind == IndexKind::kWildcard    ? AddWildcardTerms
                     : index.kind == IndexKind::kSearchTerms ? AddSearchTerms
                                                             : AddDerivedTerms;
    ORRERY_TRY(add(index, document, order, terms));
  }
  SortAndMark(terms);
  return terms;
}

}  // namespace

Result<std::vector<IndexTerm>> TermsOf(const IndexPolicy& policy, model::DocumentView document,
                                       model::Order order) {
  return CollectTerms(policy, std::nullopt, document, order);
}

Result<std::vector<std::string>> ValuesIn(const IndexPolicy& policy, IndexId index,
                                          model::DocumentView document, model::Order order) {
  ORRERY_ASSIGN(std::vector<IndexTerm> terms, CollectTerms(policy, index, document, order));
  std::vector<std::string> values;
  for (IndexTerm& term : terms)
    if (term.index == index) values.push_back(std::move(term.value));
  return values;
}

Result<std::vector<IndexTerm>> StoredTermsOf(const ContainerSchema& schema,
                                             model::DocumentView document) {
  ORRERY_ASSIGN(auto terms, TermsOf(schema.indexing, document, schema.order));
  if (!schema.former_indexing.has_value()) return terms;
  ORRERY_ASSIGN(auto former, TermsOf(*schema.former_indexing, document, schema.order));
  std::vector<IndexTerm> both;
  both.reserve(terms.size() + former.size());
  std::ranges::set_union(std::make_move_iterator(terms.begin()),
                         std::make_move_iterator(terms.end()),
                         std::make_move_iterator(former.begin()),
                         std::make_move_iterator(former.end()), std::back_inserter(both));
  return both;
}

}  // namespace orrery::item
