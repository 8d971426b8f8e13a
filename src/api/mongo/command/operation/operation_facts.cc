#include "api/mongo/command/operation/operation_facts.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace orrery::mongo {
namespace {

// Commands whose first value is the name of a collection.
constexpr std::array<std::string_view, 18> kOfCollections = {
    "find",   "insert",    "update",    "delete",    "aggregate",     "count",
    "drop",   "distinct",  "mapReduce", "validate",  "findAndModify", "findandmodify",
    "create", "collStats", "collMod",   "collstats", "createIndexes", "listIndexes"};

int64_t CountOf(const Command& command, std::string_view list) {
  for (const DocumentSequence& sequence : command.message().sequences) {
    if (sequence.name == list) return static_cast<int64_t>(sequence.documents.size());
  }
  const auto found = command.body().Find(list);
  if (!found.has_value() || found->kind() != model::Kind::kArray) return 1;
  const model::DocumentView array = found->AsDocument();
  return std::distance(array.begin(), array.end());
}

}  // namespace

std::string OperationFacts::NamespaceIn(std::string_view database) const {
  std::string name(database);
  name += '.';
  name += collection.empty() ? "$cmd" : collection;
  return name;
}

std::string_view NameOfKind(OperationKind kind) {
  static constexpr std::array<std::string_view, kOperationKinds> kNames = {
      "insert", "query", "update", "remove", "getmore", "command"};
  return kNames[static_cast<size_t>(kind)];
}

OperationFacts FactsOf(const Command& command) {
  OperationFacts facts;
  if (command.body().empty()) return facts;
  facts.kind = KindOfCommand(command.name());
  switch (facts.kind) {
    case OperationKind::kInsert:
      facts.operations = CountOf(command, "documents");
      break;
    case OperationKind::kUpdate:
      facts.operations = CountOf(command, "updates");
      break;
    case OperationKind::kDelete:
      facts.operations = CountOf(command, "deletes");
      break;
    default:
      break;
  }
  if (facts.kind == OperationKind::kGetMore) {
    const auto collection = command.body().Find("collection");
    if (collection.has_value() && collection->kind() == model::Kind::kString)
      facts.collection = collection->AsString();
  } else if (command.target().kind() == model::Kind::kString &&
             std::ranges::find(kOfCollections, command.name()) != kOfCollections.end()) {
    facts.collection = command.target().AsString();
  }
  return facts;
}

}  // namespace orrery::mongo
