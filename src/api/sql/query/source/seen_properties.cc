#include "api/sql/query/source/seen_properties.h"

#include <utility>

#include "api/sql/parser/parser.h"
#include "api/sql/query/bind/tree_walk.h"

namespace orrery::sql {
namespace {

// Looks for aliases of documents that stand alone, and for names of the properties. Which alias
// means documents is not resolved: a name that is one anywhere counts as one everywhere.
class PropertyFinder {
 public:
  // `skipped`: a query whose WHERE is not examined; may be null.
  explicit PropertyFinder(const ComputedProperties& computed, const ast::Query* skipped = nullptr)
      : computed_(computed), skipped_(skipped) {}

  SeenPart Find(const ast::Query& query) {
    AddAliases(query);
    Look(query);
    if (found_) return {SeenProperties::kAll, {}};
    if (!looks_inside_) return {SeenProperties::kNothing, {}};
    return {SeenProperties::kStored, std::move(names_)};
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
    ForEachClause(query, [&](const ast::Expression& expression) {
      const bool is_skipped =
          &query == skipped_ && query.where.has_value() && &expression == &*query.where;
      if (!is_skipped) Look(expression);
    });
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
        names_.insert(property->name);
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
    if (!definition.has_value()) {
      found_ = true;
      return;
    }
    SeenPart part = PropertyFinder(kNoComputedProperties).Find(*definition);
    found_ = part.properties == SeenProperties::kAll;
    names_.merge(std::move(part.names));
  }

  const ComputedProperties& computed_;
  const ast::Query* const skipped_;
  std::set<std::string, std::less<>> aliases_;
  std::set<std::string, std::less<>> definitions_;  // looked into already
  std::set<std::string, std::less<>> names_;        // that stand behind an alias
  bool looks_inside_ = false;
  bool found_ = false;
};

}  // namespace

SeenPart SeenPartOf(const ast::Query& query, const ComputedProperties& computed) {
  return PropertyFinder(computed).Find(query);
}

SeenPart SeenPartWithoutFilter(const ast::Query& query, const ComputedProperties& computed) {
  return PropertyFinder(computed, &query).Find(query);
}

model::Value SeenShaper::Shape(const item::ScannedItem& item) const {
  if (part_.properties == SeenProperties::kNothing) return model::Value::Object({});
  if (part_.properties == SeenProperties::kAll)
    return ToSeen(item.document, names_, {.key = item.key, .lsn = item.lsn, .time = item.time});
  model::Fields fields;
  fields.reserve(part_.names.size());
  for (const model::ElementView element : item.document.view())
    if (part_.names.contains(element.name()))
      fields.push_back({std::string(element.name()), element.ToValue()});
  return model::Value::Object(std::move(fields));
}

}  // namespace orrery::sql
