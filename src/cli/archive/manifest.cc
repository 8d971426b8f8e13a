#include "cli/archive/manifest.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>

#include "model/document/document_builder.h"

namespace orrery::cli {
namespace {

Result<uint64_t> CountFrom(model::DocumentView entry, std::string_view name) {
  const auto count = entry.Find(name);
  if (!count.has_value() || count->kind() != model::Kind::kInt64 || count->AsInteger() < 0)
    return Fail(Code::kCorruption, fmt::format("a container has no number of {}", name));
  return static_cast<uint64_t>(count->AsInteger());
}

Result<gateway::ArchiveDigest> DigestFrom(model::DocumentView entry) {
  gateway::ArchiveDigest digest;
  ORRERY_ASSIGN(digest.items, CountFrom(entry, "items"));
  ORRERY_ASSIGN(digest.mortal, CountFrom(entry, "mortal"));
  const auto sum = entry.Find("sum");
  if (!sum.has_value() || sum->kind() != model::Kind::kString)
    return Fail(Code::kCorruption, "a container has no digest");
  ORRERY_ASSIGN(digest.sum, gateway::ParseDigestSum(sum->AsString()));
  return digest;
}

}  // namespace

Result<Manifest> ManifestFrom(model::DocumentView document) {
  const auto containers = document.Find("containers");
  if (!containers.has_value() || containers->kind() != model::Kind::kArray)
    return Fail(Code::kCorruption, "it has no list of containers");
  Manifest manifest;
  for (const model::ElementView& element : containers->AsDocument()) {
    if (element.kind() != model::Kind::kObject)
      return Fail(Code::kCorruption, "a container is not an object");
    ORRERY_ASSIGN(const uint64_t segments, CountFrom(element.AsDocument(), "segments"));
    if (segments > UINT32_MAX)
      return Fail(Code::kCorruption, "a container has more segments than can be numbered");
    ContainerSummary& summary = manifest.emplace_back();
    summary.segments = static_cast<uint32_t>(segments);
    ORRERY_ASSIGN(summary.digest, DigestFrom(element.AsDocument()));
  }
  return manifest;
}

model::Document ToDocument(const Manifest& manifest) {
  model::DocumentBuilder builder;
  builder.OpenArray("containers");
  size_t number = 0;
  for (const ContainerSummary& summary : manifest) {
    builder.OpenObject(std::to_string(number++))
        .AppendInt64("segments", summary.segments)
        .AppendInt64("items", static_cast<int64_t>(summary.digest.items))
        .AppendInt64("mortal", static_cast<int64_t>(summary.digest.mortal))
        .AppendString("sum", summary.digest.sum.ToString())
        .Close();
  }
  builder.Close();
  return std::move(builder).Finish();
}

}  // namespace orrery::cli
