#include "cluster/member/roster.h"

#include <fmt/core.h>

#include <charconv>

namespace orrery::cluster {
namespace {

using storage::rados::ObjectStore;
using storage::rados::ObjectWrite;

constexpr const char* kObject = "cluster";
constexpr const char* kFormatName = "format";
constexpr const char* kFormat = "orrery cluster, format 1";
constexpr const char* kIdName = "id";
constexpr const char* kLastNode = "last_node";
constexpr std::string_view kNodePrefix = "node/";
constexpr size_t kEntriesPerPage = 512;
constexpr int kTriesMax = 1'000;  // each lost try is another node's success

std::string NodeEntry(NodeId node) { return fmt::format("{}{:016x}", kNodePrefix, node.value()); }

Status RefuseStrangers(ObjectStore& store) {
  ORRERY_ASSIGN(const auto page, store.List({}, 1));
  if (page.names.empty()) return {};
  return Fail(Code::kInvalidArgument,
              fmt::format("the pool and namespace hold objects that are not of an Orrery cluster "
                          "(such as '{}'): give --rados-namespace another name, or use an empty "
                          "pool",
                          page.names.front()));
}

}  // namespace

std::string NodeLeaseObject(NodeId node) { return fmt::format("node.{:016x}", node.value()); }

Result<Roster> Roster::Open(ObjectStore& store, const std::string& fresh_id) {
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
  return Roster(store, id->second);
}

Result<NodeId> Roster::TakeNumber() {
  for (int attempt = 0; attempt < kTriesMax; ++attempt) {
    // Its key comes before those of nodes.
    ORRERY_ASSIGN(const auto page, store_->Entries(kObject, {}, 1));
    std::string before;
    uint64_t last = 0;
    if (const auto found = page.entries.find(kLastNode); found != page.entries.end()) {
      before = found->second;
      const char* const end = before.data() + before.size();
      if (std::from_chars(before.data(), end, last).ptr != end)
        return Fail(Code::kCorruption, "the last node number of the cluster cannot be read");
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

Status Roster::Enter(const NodeCard& card) {
  return store_->Apply(
      kObject, ObjectWrite().RequireThere().SetEntry(NodeEntry(card.id), EncodeNodeCard(card)));
}

Status Roster::Leave(NodeId node) {
  return store_->Apply(kObject, ObjectWrite().RequireThere().RemoveEntry(NodeEntry(node)));
}

Result<std::vector<NodeCard>> Roster::Members() const {
  std::vector<NodeCard> members;
  std::string after;
  for (;;) {
    ORRERY_ASSIGN(const auto page, store_->Entries(kObject, after, kEntriesPerPage));
    for (const auto& [key, value] : page.entries) {
      after = key;
      if (!key.starts_with(kNodePrefix)) continue;
      ORRERY_ASSIGN(NodeCard card, DecodeNodeCard(value));
      if (NodeEntry(card.id) != key)
        return Fail(Code::kCorruption, fmt::format("the entry '{}' of a node is damaged", key));
      members.push_back(std::move(card));
    }
    if (!page.more) return members;
  }
}

}  // namespace orrery::cluster
