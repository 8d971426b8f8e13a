#include "api/sql/script/transaction/document_link.h"

#include <fmt/format.h>

#include <optional>

#include "api/sql/resource/resource_id.h"

namespace orrery::sql {
namespace {

constexpr std::string_view kDocuments = "docs/";

std::string_view WithoutSlashes(std::string_view link) {
  while (link.starts_with('/')) link.remove_prefix(1);
  while (link.ends_with('/')) link.remove_suffix(1);
  return link;
}

// Returns the text after "<container>/docs/".
std::optional<std::string_view> Below(std::string_view container, std::string_view link) {
  if (!link.starts_with(container)) return std::nullopt;
  link.remove_prefix(container.size());
  if (!link.starts_with('/')) return std::nullopt;
  while (link.starts_with('/')) link.remove_prefix(1);
  if (!link.starts_with(kDocuments)) return std::nullopt;
  link.remove_prefix(kDocuments.size());
  return link.empty() ? std::nullopt : std::optional(link);
}

bool IsDocumentRid(std::string_view text) {
  const auto rid = ParseRid(text);
  return rid.has_value() && rid->kind == RidKind::kDocument;
}

}  // namespace

std::string AltLinkOf(const gateway::ContainerEntry& container) {
  return fmt::format("dbs/{}/colls/{}", container.database_name, container.settings.name);
}

LinkReader::LinkReader(const gateway::ContainerEntry& container)
    : self_(ContainerNames(container).self()), alt_(AltLinkOf(container)) {}

Status LinkReader::CheckContainer(std::string_view link) const {
  link = WithoutSlashes(link);
  if (link == alt_ || link == WithoutSlashes(self_)) return {};
  return Fail(Code::kInvalidArgument,
              fmt::format("'{}' is no link to the container that the script runs on", link));
}

Result<DocumentLink> LinkReader::ReadDocument(std::string_view link) const {
  link = WithoutSlashes(link);
  if (const auto id = Below(alt_, link))
    return DocumentLink{DocumentLink::By::kId, std::string(*id)};
  if (const auto rid = Below(WithoutSlashes(self_), link)) {
    return DocumentLink{IsDocumentRid(*rid) ? DocumentLink::By::kRid : DocumentLink::By::kId,
                        std::string(*rid)};
  }
  return Fail(
      Code::kInvalidArgument,
      fmt::format("'{}' is no link to a document of the container that the script runs on", link));
}

}  // namespace orrery::sql
