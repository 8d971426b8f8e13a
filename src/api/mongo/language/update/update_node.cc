#include "api/mongo/language/update/update_node.h"

#include <fmt/core.h>

#include "api/mongo/language/value/field_path.h"

namespace orrery::mongo {
namespace {

std::unexpected<MongoError> ConflictAt(std::string_view path, std::string_view at) {
  return Refuse(ErrorCode::kConflictingUpdateOperators,
                fmt::format("Updating the path '{}' would create a conflict at '{}'", path, at));
}

std::string JoinedPath(const std::vector<std::string>& steps, size_t count) {
  std::string path;
  for (size_t i = 0; i < count; ++i) path += (i == 0 ? "" : ".") + steps[i];
  return path;
}

bool IsEmpty(const UpdateNode& node) {
  return node.leaf == nullptr && node.fields.empty() && node.positional == nullptr &&
         node.elements.empty();
}

std::string Below(const std::string& path, const std::string& step) {
  return path.empty() ? step : path + "." + step;
}

}  // namespace

bool PathOrder::operator()(const std::string& a, const std::string& b) const {
  const std::optional<size_t> x = IndexOfStep(a);
  const std::optional<size_t> y = IndexOfStep(b);
  if (x.has_value() && y.has_value()) return *x < *y;
  return a < b;
}

Outcome AddModifier(UpdateNode& root, const std::vector<std::string>& steps,
                    std::shared_ptr<const Modifier> modifier) {
  UpdateNode* node = &root;
  const std::string path = JoinedPath(steps, steps.size());
  for (size_t i = 0; i < steps.size(); ++i) {
    if (node->leaf != nullptr) return ConflictAt(path, JoinedPath(steps, i));
    const std::string& step = steps[i];
    const bool is_element = step.starts_with("$[") && step.ends_with(']');
    const bool has_others =
        is_element ? !node->fields.empty() || node->positional != nullptr : !node->elements.empty();
    if (has_others) return ConflictAt(path, JoinedPath(steps, i));
    std::shared_ptr<const UpdateNode>& child = is_element
                                                   ? node->elements[step.substr(2, step.size() - 3)]
                                               : step == "$" ? node->positional
                                                             : node->fields[step];
    if (child == nullptr) child = std::make_shared<UpdateNode>();
    // The tree is built here and shared only afterwards.
    node = const_cast<UpdateNode*>(child.get());  // NOLINT
  }
  if (!IsEmpty(*node)) return ConflictAt(path, path);
  node->leaf = std::move(modifier);
  return {};
}

Answer<UpdateNodePtr> MergeNodes(const UpdateNode& a, const UpdateNode& b,
                                 const std::string& path) {
  if (a.leaf != nullptr || b.leaf != nullptr) return ConflictAt(path, path);
  const bool a_has_elements = !a.elements.empty();
  const bool b_has_elements = !b.elements.empty();
  if (a_has_elements != b_has_elements && !IsEmpty(a) && !IsEmpty(b)) return ConflictAt(path, path);
  auto merged = std::make_shared<UpdateNode>(a);
  for (const auto& [name, child] : b.fields) {
    UpdateNodePtr& mine = merged->fields[name];
    if (mine == nullptr) {
      mine = child;
    } else {
      MONGO_ASSIGN(mine, MergeNodes(*mine, *child, Below(path, name)));
    }
  }
  for (const auto& [name, child] : b.elements) {
    UpdateNodePtr& mine = merged->elements[name];
    if (mine == nullptr) {
      mine = child;
    } else {
      MONGO_ASSIGN(mine, MergeNodes(*mine, *child, Below(path, "$[" + name + "]")));
    }
  }
  if (b.positional != nullptr) {
    if (merged->positional == nullptr) {
      merged->positional = b.positional;
    } else {
      MONGO_ASSIGN(merged->positional,
                   MergeNodes(*merged->positional, *b.positional, Below(path, "$")));
    }
  }
  return merged;
}

}  // namespace orrery::mongo
