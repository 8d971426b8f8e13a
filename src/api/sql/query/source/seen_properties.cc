#include "api/sql/query/source/seen_properties.h"

#include <set>
#include <string>

#include "api/sql/parser/parser.h"
#include "api/sql/query/bind/tree_walk.h"

namespace orrery::sql {
namespace {

// Looks for aliases of documents that stand alone, and for names of the properties. Which alias
// means documents is not resolved: a name that is one anywhere counts as one everywhere.
class PropertyFinder {
 public:
  explicit PropertyFinder(const ComputedProperties& computed) : computed_(computed) {}

  SeenProperties Find(const ast::Query& query) {
    AddAliases(query);
    Look(query);
    if (found_) return SeenProperties::kAll;
    return looks_inside_ ? SeenProperties::kStored : SeenProperties::kNothing;
  }

 private:
  void AddAliases(const ast::Query& query) {
    if (query.sources.empty()) return;
    const ast::Source& source = query.sources.front();
    if (const auto* inner = std::get_if<ast::QueryPtr>(&source.collection)) {
      AddAliases(**inner);
      return;
    }
    const ast::Identifier* root = RootOf(std::get<ast::Expression>(source.collection));
    if (root == nullptr) return;
    aliases_.insert(root->name);
    if (source.alias.has_value()) aliases_.insert(source.alias->text);
  }

  void Look(const ast::Query& query) {
    if (std::holds_alternative<ast::SelectAll>(query.select.what)) found_ = true;
    for (size_t i = 0; i < query.sources.size(); ++i) {
      const auto& collection = query.sources[i].collection;
      if (const auto* inner = std::get_if<ast::QueryPtr>(&collection)) {
        Look(**inner);
      } else if (std::get<ast::Expression>(collection).As<ast::Identifier>() == nullptr || i > 0) {
        Look(std::get<ast::Expression>(collection));
      }
    }
    ForEachClause(query, [&](const ast::Expression& expression) { Look(expression); });
  }

  void Look(const ast::Expression& expression) {
    if (found_) return;
    if (const auto* identifier = expression.As<ast::Identifier>()) {
      looks_inside_ = true;
      found_ = aliases_.contains(identifier->name);
    } else if (const auto* property = expression.As<ast::PropertyAccess>()) {
      looks_inside_ = true;
      if (IsSystemProperty(property->name)) {
        found_ = true;
      } else if (property->object->As<ast::Identifier>() == nullptr) {
        Look(*property->object);
      } else {
        LookIntoDefinition(property->name);
      }
    } else {
      ForEachChild(
          expression, [&](const ast::Expression& child) { Look(child); },
          [&](const ast::Query& query) { Look(query); });
    }
  }

  void LookIntoDefinition(const std::string& name) {
    const ComputedProperty* property = computed_.Find(name);
    if (property == nullptr || !definitions_.insert(name).second) return;
    const auto definition = ParseQuery(property->query);
    found_ = !definition.has_value() ||
             PropertyFinder(kNoComputedProperties).Find(*definition) == SeenProperties::kAll;
  }

  const ComputedProperties& computed_;
  std::set<std::string, std::less<>> aliases_;
  std::set<std::string, std::less<>> definitions_;  // looked into already
  bool looks_inside_ = false;
  bool found_ = false;
};

}  // namespace

SeenProperties SeenPropertiesOf(const ast::Query& query, const ComputedProperties& computed) {
  return PropertyFinder(computed).Find(query);
}

model::Value ToSeen(SeenProperties seen, model::DocumentView stored, const ContainerNames& names,
                    const DocumentVersion& version) {
  if (seen == SeenProperties::kNothing) return model::Value::Object({});
  if (seen == SeenProperties::kStored) return stored.ToObject();
  return ToSeen(stored, names, version);
}

}  // namespace orrery::sql
