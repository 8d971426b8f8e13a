#include "api/sql/container/policy_indexes.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace orrery::sql {
namespace {

std::string WithoutElements(std::string path) {
  constexpr std::string_view kElements = "/[]";
  for (size_t at = path.find(kElements); at != std::string::npos; at = path.find(kElements, at)) {
    const size_t end = at + kElements.size();
    if (end == path.size() || path[end] == '/') {
      path.erase(at, kElements.size());
    } else {
      at = end;
    }
  }
  return path;
}

bool IsOfPolicy(const item::NamedIndex& index) {
  return index.name.starts_with(kCompositeName) || index.name.starts_with(kFullTextName) ||
         index.name.starts_with(kSpatialName) || index.name.starts_with(kVectorName);
}

}  // namespace

Result<model::Path> PolicyPathOf(const model::Value& entry, std::string_view part,
                                 ArraySteps arrays) {
  const auto bad = [&](std::string_view what) {
    return Fail(Code::kInvalidArgument, fmt::format("indexingPolicy: {}: {}", part, what));
  };
  const model::Value* text = entry.Find("path");
  if (text == nullptr || text->kind() != model::Kind::kString)
    return bad("each path needs a 'path'");
  auto path = model::Path::Parse(arrays == ArraySteps::kPassed ? WithoutElements(text->AsString())
                                                               : text->AsString());
  if (!path.has_value())
    return bad(fmt::format("'{}': {}", text->AsString(), path.error().message()));
  if (path->steps().empty()) return bad("a path cannot be the whole document");
  return path;
}

std::vector<item::NamedIndex> WithPolicyIndexes(std::vector<item::NamedIndex> known,
                                                std::vector<item::NamedIndex> wanted,
                                                uint32_t highest_id) {
  for (item::NamedIndex& index : wanted) {
    const auto same = std::ranges::find(known, index.name, &item::NamedIndex::name);
    index.id = same == known.end() ? ++highest_id : same->id;
  }
  std::erase_if(known, IsOfPolicy);
  std::ranges::move(wanted, std::back_inserter(known));
  return known;
}

}  // namespace orrery::sql
