#include "cluster/member/membership_list.h"

#include <fmt/core.h>

#include <charconv>
#include <optional>

namespace orrery::cluster {
namespace {

using storage::rados::ObjectStore;
using storage::rados::ObjectWrite;

constexpr const char* kObject = "cluster";
constexpr const char* kFormatName = "format";
constexpr const char* kFormat = "orrery cluster, format 1";
constexpr const char* kIdName = "id";
constexpr const char* kLastNode = "last_node";
constexpr const char* kSystemName = "system";
constexpr const char* kSystemMade = "made";
constexpr std::string_view kNodePrefix = "node/";
constexpr const char* kSecretEntry = "secret";  // behind those of nodes
constexpr const char* kBeforeSecret = "secre";
constexpr size_t kEntriesPerPage = 512;
constexpr int kTriesMax = 1'000;  // each lost try is another node's success

std::string NodeEntry(NodeId node) { return fmt::format("{}{:016x}", kNodePrefix, node.value()); }

// Nothing when no node has such an entry.
std::optional<NodeId> NodeOf(const std::string& entry) {
  uint64_t number = 0;
  const char* const end = entry.data() + entry.size();
  std::from_chars(entry.data() + kNodePrefix.size(), end, number, 16);
  if (NodeEntry(NodeId(number)) != entry) return std::nullopt;
  return NodeId(number);
}

// For a store without the object "cluster".
Status RefuseStrangers(ObjectStore& store) {
  ORRERY_ASSIGN(const auto page, store.List({}, 1));
  if (page.names.empty()) return {};
  // The process that makes a cluster makes these after the object that is missing.
  const auto manager = store.Stat(kManagerLeaseObject);
  if (manager.has_value())
    return Fail(Code::kCorruption,
                "the pool and namespace hold an Orrery cluster whose object 'cluster' is missing: "
                "restore the pool from a backup; nothing was changed");
  if (manager.error().code() != Code::kNotFound) return Fail(manager.error());
  return Fail(Code::kInvalidArgument,
              fmt::format("the pool and namespace hold objects that are not of an Orrery cluster "
                          "(such as '{}'): give --rados-namespace another name, or use an empty "
                          "pool",
                          page.names.front()));
}

}  // namespace

std::string NodeLeaseObject(NodeId node) { return fmt::format("node.{:016x}", node.value()); }

Result<MembershipList> MembershipList::Open(ObjectStore& store, const std::string& fresh_id) {
  auto attributes = store.Attributes(kObject);
  if (!attributes.has_value() && attributes.error().code() == Code::kNotFound) {
    ORRERY_TRY(RefuseStrangers(store));
    const Status made = store.Apply(kObject, ObjectWrite()
                                                 .CreateFirst()
                                                 .SetAttribute(kFormatName, kFormat)
                                                 .SetAttribute(kIdName, fresh_id));
    // Another node may have been as fast.
    if (!made.has_value() && made.error().code() != Code::kAlreadyExists) return Fail(made.error());
    attributes = store.Attributes(kObject);
  }
  if (!attributes.has_value()) return Fail(attributes.error());
  const auto format = attributes->find(kFormatName);
  const auto id = attributes->find(kIdName);
  if (format == attributes->end() || id == attributes->end()) {
    return Fail(Code::kInvalidArgument,
                "the object 'cluster' in this pool and namespace is not Orrery's: give "
                "--rados-namespace another name");
  }
  if (format->second != kFormat) {
    return Fail(Code::kUnsupported,
                fmt::format("the cluster in this pool is '{}', this program knows '{}': use the "
                            "version of orrery that the other nodes have",
                            format->second, kFormat));
  }
  return MembershipList(store, id->second, attributes->contains(kSystemName));
}

Result<std::string> MembershipList::Secret(const std::string& fresh) {
  for (int attempt = 0; attempt < kTriesMax; ++attempt) {
    ORRERY_ASSIGN(const auto page, store_->Entries(kObject, kBeforeSecret, 1));
    if (const auto found = page.entries.find(kSecretEntry); found != page.entries.end()) {
      const std::string& secret = found->second;
      const bool is_whole = secret.size() == kClusterSecretDigits &&
                            secret.find_first_not_of("0123456789abcdef") == std::string::npos;
      if (is_whole) return secret;
      return Fail(Code::kCorruption,
                  "the entry 'secret' of the object 'cluster' is damaged: stop all nodes, remove "
                  "it with 'rados rmomapkey cluster secret', in the pool and namespace of the "
                  "cluster, and start them again");
    }
    const Status made = store_->Apply(
        kObject,
        ObjectWrite().RequireThere().RequireNoEntry(kSecretEntry).SetEntry(kSecretEntry, fresh));
    if (made.has_value()) return fresh;
    if (made.error().code() != Code::kPreconditionFailed) return Fail(made.error());
  }
  return Fail(Code::kUnavailable, "the secret of the cluster changes all the time");
}

Result<NodeId> MembershipList::TakeNumber() {
  for (int attempt = 0; attempt < kTriesMax; ++attempt) {
    // Its key comes before those of nodes.
    ORRERY_ASSIGN(const auto page, store_->Entries(kObject, {}, 1));
    std::string before;
    uint64_t last = 0;
    if (!page.entries.empty()) {
      const auto& [key, value] = *page.entries.begin();
      before = value;
      const char* const end = before.data() + before.size();
      const auto read = std::from_chars(before.data(), end, last);
      // One that is too large is read to its end, but not as a number: from 0 on again, numbers
      // would be given twice.
      if (key != kLastNode || read.ec != std::errc() || read.ptr != end || last == UINT64_MAX) {
        return Fail(Code::kCorruption,
                    "the entry 'last_node' of the object 'cluster' is missing or damaged: with "
                    "'rados setomapval cluster last_node N' set it to a number above those of all "
                    "nodes that the logs name, in the pool and namespace of the cluster");
      }
    }
    const std::string next = std::to_string(last + 1);
    const Status taken = store_->Apply(
        kObject,
        ObjectWrite().RequireThere().RequireEntry(kLastNode, before).SetEntry(kLastNode, next));
    if (taken.has_value()) return NodeId(last + 1);
    if (taken.error().code() != Code::kPreconditionFailed) return Fail(taken.error());
  }
  return Fail(Code::kUnavailable, "too many nodes join at the same time; try again");
}

Status MembershipList::NoteSystemMade() {
  if (system_made_) return {};
  ORRERY_TRY(
      store_->Apply(kObject, ObjectWrite().RequireThere().SetAttribute(kSystemName, kSystemMade)));
  system_made_ = true;
  return {};
}

Status MembershipList::Enter(const NodeDescriptor& descriptor) {
  return store_->Apply(kObject, ObjectWrite().RequireThere().SetEntry(
                                    NodeEntry(descriptor.id), EncodeNodeDescriptor(descriptor)));
}

Status MembershipList::Leave(NodeId node) {
  return store_->Apply(kObject, ObjectWrite().RequireThere().RemoveEntry(NodeEntry(node)));
}

Result<std::vector<NodeDescriptor>> MembershipList::Members() const {
  std::vector<NodeDescriptor> members;
  std::string after;
  for (;;) {
    ORRERY_ASSIGN(const auto page, store_->Entries(kObject, after, kEntriesPerPage));
    for (const auto& [key, value] : page.entries) {
      after = key;
      if (!key.starts_with(kNodePrefix)) continue;
      const std::optional<NodeId> node = NodeOf(key);
      if (!node.has_value()) {
        return Fail(Code::kCorruption,
                    fmt::format("the entry '{0}' of the object 'cluster' is no node's: remove it "
                                "with 'rados rmomapkey cluster {0}', in the pool and namespace of "
                                "the cluster",
                                key));
      }
      auto descriptor = DecodeNodeDescriptor(value);
      if (!descriptor.has_value() || descriptor->id != *node)
        descriptor = NodeDescriptor{.id = *node};
      members.push_back(*std::move(descriptor));
    }
    if (!page.more) return members;
  }
}

}  // namespace orrery::cluster
