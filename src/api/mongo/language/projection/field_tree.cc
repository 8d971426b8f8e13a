#include "api/mongo/language/projection/field_tree.h"

#include <fmt/core.h>

#include <algorithm>

#include "api/mongo/language/value/field_path.h"

namespace orrery::mongo {

using model::Document;
using model::DocumentBuilder;
using model::DocumentView;
using model::ElementView;
using model::Kind;
using model::Value;

const FieldTree::Child* FieldTree::Find(std::string_view name) const {
  const auto found = std::ranges::find(children, name, &Child::name);
  return found == children.end() ? nullptr : &*found;
}

bool FieldTree::has_computed() const {
  return std::ranges::any_of(children, [](const Child& child) {
    return child.is_leaf ? child.expression != nullptr : child.below.has_computed();
  });
}

Outcome AddLeaf(FieldTree& tree, const std::string& path, ExpressionPtr expression) {
  FieldTree* at = &tree;
  const std::vector<std::string> steps = SplitPath(path);
  for (size_t i = 0; i < steps.size(); ++i) {
    const bool is_last = i + 1 == steps.size();
    auto found = std::ranges::find(at->children, steps[i], &FieldTree::Child::name);
    if (found != at->children.end() && (is_last || found->is_leaf)) {
      std::string rest;
      for (size_t j = i + 1; j < steps.size(); ++j) rest += (rest.empty() ? "" : ".") + steps[j];
      if (found->is_leaf && !is_last) {
        return Refuse(31249, fmt::format("Path collision at {} remaining portion {}", path, rest));
      }
      return Refuse(31250, fmt::format("Path collision at {}", path));
    }
    if (found == at->children.end()) {
      at->children.push_back({.name = steps[i], .is_leaf = is_last, .expression = {}, .below = {}});
      found = at->children.end() - 1;
    }
    if (is_last) {
      found->expression = std::move(expression);
      return {};
    }
    at = &found->below;
  }
  return {};
}

namespace {

enum class TreeUse : uint8_t { kInclude, kExclude, kAdd };

// Writes the fields of one document under a tree. Elements of arrays are walked into.
class TreeWriter {
 public:
  TreeWriter(TreeUse use, Evaluation* evaluation) : use_(use), evaluation_(evaluation) {}

  Outcome WriteFields(const FieldTree& tree, DocumentView document, DocumentBuilder& out) {
    std::vector<bool> written(tree.children.size());
    for (const ElementView element : document) {
      const FieldTree::Child* child = tree.Find(element.name());
      if (child == nullptr) {
        if (use_ != TreeUse::kInclude) out.Append(element.name(), element);
        continue;
      }
      const auto index = static_cast<size_t>(child - tree.children.data());
      // Computed fields of an inclusion come behind those that are kept.
      if (use_ == TreeUse::kInclude && child->is_leaf && child->expression != nullptr) continue;
      written[index] = true;
      if (!child->is_leaf) {
        MONGO_TRY(WriteBelow(child->below, element.name(), &element, out));
      } else if (child->expression != nullptr) {
        MONGO_TRY(WriteComputed(*child, out));
      } else if (use_ == TreeUse::kInclude) {
        out.Append(element.name(), element);
      }
    }
    if (use_ == TreeUse::kExclude) return {};
    for (size_t i = 0; i < tree.children.size(); ++i) {
      const FieldTree::Child& child = tree.children[i];
      if (written[i]) continue;
      if (child.is_leaf && child.expression != nullptr) {
        MONGO_TRY(WriteComputed(child, out));
      } else if (!child.is_leaf && child.below.has_computed()) {
        MONGO_TRY(WriteBelow(child.below, child.name, nullptr, out));
      }
    }
    return {};
  }

 private:
  Outcome WriteComputed(const FieldTree::Child& child, DocumentBuilder& out) {
    MONGO_ASSIGN(const Value value, child.expression->Evaluate(*evaluation_));
    if (!value.is_undefined()) out.Append(child.name, value);
    return {};
  }

  // `element` is nullptr where the document has nothing.
  Outcome WriteBelow(const FieldTree& tree, std::string_view name, const ElementView* element,
                     DocumentBuilder& out) {
    const Kind kind = element == nullptr ? Kind::kUndefined : element->kind();
    if (kind == Kind::kObject) {
      out.OpenObject(name);
      MONGO_TRY(WriteFields(tree, element->AsDocument(), out));
      out.Close();
      return {};
    }
    if (kind == Kind::kArray) {
      out.OpenArray(name);
      size_t index = 0;
      for (const ElementView inner : element->AsDocument()) {
        const bool is_nested = inner.kind() == Kind::kObject || inner.kind() == Kind::kArray;
        const bool is_kept = is_nested || use_ != TreeUse::kInclude || tree.has_computed();
        if (!is_kept) continue;
        const std::string index_name = std::to_string(index++);
        MONGO_TRY(WriteBelow(tree, index_name, &inner, out));
      }
      out.Close();
      return {};
    }
    if (use_ == TreeUse::kExclude) {
      out.Append(name, *element);
    } else if (tree.has_computed()) {
      // A value that is no object gives way to one with the computed fields.
      out.OpenObject(name);
      MONGO_TRY(WriteFields(tree, DocumentView(), out));
      out.Close();
    }
    return {};
  }

  TreeUse use_;
  Evaluation* evaluation_;
};

Answer<Document> Write(TreeUse use, const FieldTree& tree, DocumentView document,
                       Evaluation* evaluation) {
  DocumentBuilder out;
  MONGO_TRY(TreeWriter(use, evaluation).WriteFields(tree, document, out));
  return std::move(out).Finish();
}

}  // namespace

Answer<Document> ApplyInclusion(const FieldTree& tree, DocumentView document,
                                Evaluation& evaluation) {
  return Write(TreeUse::kInclude, tree, document, &evaluation);
}

Answer<Document> ApplyExclusion(const FieldTree& tree, DocumentView document) {
  return Write(TreeUse::kExclude, tree, document, nullptr);
}

Answer<Document> ApplyAddition(const FieldTree& tree, DocumentView document,
                               Evaluation& evaluation) {
  return Write(TreeUse::kAdd, tree, document, &evaluation);
}

}  // namespace orrery::mongo
