#include "storage/rados/file/link_tags.h"

#include <fmt/core.h>

#include "base/has_code.h"

namespace orrery::storage::rados {
namespace {

// Others that link the same file at the same moment, one after the other.
constexpr int kLinkAttemptsMax = 64;

std::unexpected<Error> LinksContended(const std::string& object) {
  return Fail(Code::kUnavailable, fmt::format("the links of '{}' change all the time", object));
}

}  // namespace

Result<std::set<LinkTag>> ReadLinks(ObjectStore& store, const FileId& file) {
  const std::string object = StripeObject(file, 0);
  ORRERY_ASSIGN(const auto attributes, store.Attributes(object));
  const auto found = attributes.find(kLinksAttribute);
  if (found == attributes.end())
    return Fail(Code::kCorruption, fmt::format("the object '{}' has no links", object));
  return DecodeLinks(found->second, object);
}

Status AddLink(ObjectStore& store, const FileEntry& source, const LinkTag& link) {
  const std::string object = StripeObject(source.id, 0);
  // Most files have one name.
  Result<std::set<LinkTag>> links = std::set<LinkTag>{source.tag};
  for (int attempt = 0; attempt < kLinkAttemptsMax; ++attempt) {
    ObjectWrite write;
    if (links.has_value()) {
      write.RequireAttribute(kLinksAttribute, EncodeLinks(*links));
      links->insert(link);
      write.SetAttribute(kLinksAttribute, EncodeLinks(*links));
    } else if (links.error().code() == Code::kNotFound && source.closed && source.bytes == 0) {
      write.CreateFirst().SetAttribute(kLinksAttribute, EncodeLinks({source.tag, link}));
    } else {
      return Fail(links.error());
    }
    const Status added = store.Apply(object, std::move(write));
    if (!HasCode(added, Code::kPreconditionFailed) && !HasCode(added, Code::kAlreadyExists) &&
        !HasCode(added, Code::kNotFound))
      return added;
    links = ReadLinks(store, source.id);
  }
  return LinksContended(object);
}

Result<bool> RemoveLink(ObjectStore& store, const FileId& file, const LinkTag& link) {
  const std::string object = StripeObject(file, 0);
  std::set<LinkTag> links{link};
  for (int attempt = 0; attempt < kLinkAttemptsMax; ++attempt) {
    ObjectWrite write;
    write.RequireAttribute(kLinksAttribute, EncodeLinks(links));
    links.erase(link);
    const bool last = links.empty();
    if (last) {
      write.Remove();
    } else {
      write.SetAttribute(kLinksAttribute, EncodeLinks(links));
    }
    const Status removed = store.Apply(object, std::move(write));
    if (HasCode(removed, Code::kNotFound)) return true;
    if (removed.has_value()) return last;
    if (!HasCode(removed, Code::kPreconditionFailed)) return Fail(removed.error());
    Result<std::set<LinkTag>> now = ReadLinks(store, file);
    if (!now.has_value() && now.error().code() == Code::kNotFound) return true;
    if (!now.has_value()) return Fail(std::move(now).error());
    links = *std::move(now);
    if (!links.contains(link)) return false;
  }
  return LinksContended(object);
}

}  // namespace orrery::storage::rados
