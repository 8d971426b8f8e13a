#include "storage/rados/object/cluster_facts.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "model/document/document.h"
#include "model/document/json.h"

namespace orrery::storage::rados {
namespace {

using model::DocumentView;
using model::ElementView;
using model::Kind;

std::unexpected<Error> Strange(std::string_view what) {
  return Fail(Code::kUnavailable, fmt::format("a Ceph monitor answered without '{}'", what));
}

std::optional<int64_t> Integer(DocumentView document, std::string_view name) {
  const std::optional<ElementView> found = document.Find(name);
  if (!found || (found->kind() != Kind::kInt32 && found->kind() != Kind::kInt64)) return {};
  return found->AsInteger();
}

Result<uint64_t> Count(DocumentView document, std::string_view name) {
  const std::optional<int64_t> number = Integer(document, name);
  if (!number || *number < 0) return Strange(name);
  return static_cast<uint64_t>(*number);
}

Result<uint32_t> SmallCount(DocumentView document, std::string_view name) {
  ORRERY_ASSIGN(const uint64_t number, Count(document, name));
  if (number > std::numeric_limits<uint32_t>::max()) return Strange(name);
  return static_cast<uint32_t>(number);
}

Result<std::string> Text(DocumentView document, std::string_view name) {
  const std::optional<ElementView> found = document.Find(name);
  if (!found || found->kind() != Kind::kString) return Strange(name);
  return std::string(found->AsString());
}

Result<DocumentView> Part(DocumentView document, std::string_view name, Kind kind) {
  const std::optional<ElementView> found = document.Find(name);
  if (!found || found->kind() != kind) return Strange(name);
  return found->AsDocument();
}

std::string CopiesText(uint32_t count) {
  return count == 1 ? "one copy" : fmt::format("{} copies", count);
}

Result<model::Document> Parse(std::string_view json) {
  Result<model::Document> document = model::ParseJson(json);
  if (!document.has_value())
    return Fail(Code::kUnavailable,
                "a Ceph monitor answered no JSON: " + document.error().message());
  return document;
}

}  // namespace

Status CheckKind(const PoolFacts& facts, std::string_view pool) {
  if (!facts.replicated)
    return Fail(Code::kUnsupported,
                fmt::format("the pool '{}' is erasure-coded, which cannot keep the entries that "
                            "Orrery needs: make a replicated pool",
                            pool));
  return {};
}

Status CheckCopies(const PoolFacts& facts, std::string_view pool, uint32_t size,
                   uint32_t min_size) {
  if (facts.size < size)
    return Fail(
        Code::kPreconditionFailed,
        fmt::format("the pool '{0}' keeps {1} of each object, Orrery wants {2}: run 'ceph osd pool "
                    "set {0} size {2}', or accept that with --rados-fewer-copies",
                    pool, CopiesText(facts.size), size));
  if (facts.min_size < min_size)
    return Fail(
        Code::kPreconditionFailed,
        fmt::format("the pool '{0}' serves with {1}, so that writes could be lost with that; "
                    "Orrery wants {2}: run 'ceph osd pool set {0} min_size {2}', or accept that "
                    "with --rados-fewer-copies",
                    pool, CopiesText(facts.min_size), min_size));
  return {};
}

Result<PoolFacts> ParsePoolFacts(std::string_view json) {
  ORRERY_ASSIGN(const model::Document document, Parse(json));
  PoolFacts facts;
  ORRERY_ASSIGN(facts.size, SmallCount(document, "size"));
  ORRERY_ASSIGN(facts.min_size, SmallCount(document, "min_size"));
  ORRERY_ASSIGN(facts.placement_groups, SmallCount(document, "pg_num"));
  facts.replicated = !document.view().Find("erasure_code_profile").has_value();
  return facts;
}

Result<ClusterFacts> ParseClusterFacts(std::string_view json) {
  ORRERY_ASSIGN(const model::Document document, Parse(json));
  ClusterFacts facts;
  ORRERY_ASSIGN(facts.id, Text(document, "fsid"));
  ORRERY_ASSIGN(const DocumentView health, Part(document, "health", Kind::kObject));
  ORRERY_ASSIGN(facts.health, Text(health, "status"));
  ORRERY_ASSIGN(const DocumentView checks, Part(health, "checks", Kind::kObject));
  for (const ElementView check : checks) facts.checks.emplace_back(check.name());
  ORRERY_ASSIGN(const DocumentView osds, Part(document, "osdmap", Kind::kObject));
  ORRERY_ASSIGN(facts.osds, SmallCount(osds, "num_osds"));
  ORRERY_ASSIGN(facts.osds_up, SmallCount(osds, "num_up_osds"));
  ORRERY_ASSIGN(const DocumentView groups, Part(document, "pgmap", Kind::kObject));
  ORRERY_ASSIGN(facts.bytes_used, Count(groups, "bytes_used"));
  ORRERY_ASSIGN(facts.bytes_available, Count(groups, "bytes_avail"));
  return facts;
}

Result<uint64_t> ParseFreeBytes(std::string_view json, std::string_view pool) {
  ORRERY_ASSIGN(const model::Document document, Parse(json));
  // A cluster that has just been started knows nothing of its disks yet.
  ORRERY_ASSIGN(const DocumentView disks, Part(document, "stats", Kind::kObject));
  ORRERY_ASSIGN(const uint64_t total, Count(disks, "total_bytes"));
  if (total == 0) return Strange("total_bytes");
  ORRERY_ASSIGN(const DocumentView pools, Part(document, "pools", Kind::kArray));
  for (const ElementView each : pools) {
    if (each.kind() != Kind::kObject) return Strange("pools");
    ORRERY_ASSIGN(const std::string name, Text(each.AsDocument(), "name"));
    if (name != pool) continue;
    ORRERY_ASSIGN(const DocumentView stats, Part(each.AsDocument(), "stats", Kind::kObject));
    ORRERY_ASSIGN(const uint64_t by_disks, Count(stats, "max_avail"));
    ORRERY_ASSIGN(const uint64_t quota, Count(stats, "quota_bytes"));
    if (quota == 0) return by_disks;  // none is set
    ORRERY_ASSIGN(const uint64_t stored, Count(stats, "stored"));
    return std::min(by_disks, quota - std::min(quota, stored));
  }
  return Strange(pool);
}

Result<std::vector<uint32_t>> ParseCopies(std::string_view json) {
  ORRERY_ASSIGN(const model::Document document, Parse(json));
  ORRERY_ASSIGN(const DocumentView acting, Part(document, "acting", Kind::kArray));
  std::vector<uint32_t> osds;
  for (const ElementView osd : acting) {
    if (osd.kind() != Kind::kInt32 && osd.kind() != Kind::kInt64) return Strange("acting");
    const int64_t number = osd.AsInteger();
    // A place without an OSD has the number 2^31 - 1.
    if (number >= 0 && number < std::numeric_limits<int32_t>::max())
      osds.push_back(static_cast<uint32_t>(number));
  }
  return osds;
}

}  // namespace orrery::storage::rados
