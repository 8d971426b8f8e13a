#include "item/index/wildcard_terms.h"

#include <algorithm>

#include "model/key/key_codec.h"

namespace orrery::item {
namespace {

using Steps = std::span<const std::string>;

bool IsAtOrBelow(Steps path, Steps above) {
  return path.size() >= above.size() && std::ranges::equal(path.first(above.size()), above);
}

// Returns whether something at or below the path may be in the index.
bool MayCoverBelow(const NamedIndex& index, Steps path) {
  const Steps root = index.paths.front().steps();
  if (!IsAtOrBelow(path, root) && !IsAtOrBelow(root, path)) return false;
  if (index.wildcard.excludes || index.wildcard.paths.empty()) return true;
  return std::ranges::any_of(index.wildcard.paths, [&](const model::Path& included) {
    return IsAtOrBelow(path, included.steps()) || IsAtOrBelow(included.steps(), path);
  });
}

class WildcardWalk {
 public:
  WildcardWalk(const NamedIndex& index, model::Order order, std::vector<IndexTerm>& terms)
      : index_(index), order_(order), terms_(terms) {}

  Status IntoObject(model::DocumentView object) {
    for (const model::ElementView field : object) {
      path_.emplace_back(field.name());
      if (MayCoverBelow(index_, path_)) ORRERY_TRY(Into(field));
      path_.pop_back();
    }
    return {};
  }

 private:
  Status Into(const model::ElementView& field) {
    if (field.kind() != model::Kind::kArray) return IntoValue(field);
    const model::DocumentView elements = field.AsDocument();
    if (elements.empty()) return Add(model::Value::Undefined());
    for (const model::ElementView element : elements) ORRERY_TRY(IntoValue(element));
    return {};
  }

  Status IntoValue(const model::ElementView& value) {
    if (value.kind() == model::Kind::kObject && !value.AsDocument().empty())
      return IntoObject(value.AsDocument());
    return Add(value.ToValue());
  }

  Status Add(const model::Value& value) {
    if (!CoversPath(index_, path_)) return {};
    if (terms_.size() == kIndexTermsMax) {
      return Fail(Code::kTooLarge,
                  "the document has too many indexed values; exclude some of its paths from the "
                  "index");
    }
    std::string encoded = WildcardPrefix(path_, order_);
    model::AppendKey(encoded, value, order_);
    if (encoded.size() > kIndexValueBytesMax) encoded.resize(kIndexValueBytesMax);
    terms_.push_back({.index = NamedIndexId(index_.id), .value = std::move(encoded)});
    return {};
  }

  const NamedIndex& index_;
  const model::Order order_;
  std::vector<IndexTerm>& terms_;
  std::vector<std::string> path_;
};

}  // namespace

bool CoversPath(const NamedIndex& index, Steps path) {
  if (!IsAtOrBelow(path, index.paths.front().steps())) return false;
  const auto& listed = index.wildcard.paths;
  const bool is_listed = std::ranges::any_of(
      listed, [&](const model::Path& one) { return IsAtOrBelow(path, one.steps()); });
  return index.wildcard.excludes ? !is_listed : listed.empty() || is_listed;
}

std::string WildcardPrefix(Steps path, model::Order order) {
  std::string dotted;
  for (const std::string& step : path) dotted += (dotted.empty() ? "" : ".") + step;
  std::string encoded;
  model::AppendKey(encoded, model::Value::String(std::move(dotted)), order);
  return encoded;
}

Status AddWildcardTerms(const NamedIndex& index, model::DocumentView document, model::Order order,
                        std::vector<IndexTerm>& terms) {
  return WildcardWalk(index, order, terms).IntoObject(document);
}

}  // namespace orrery::item
