#include "model/document/projection.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace orrery::model {

Projection::Projection(std::vector<Path> paths) : paths_(std::move(paths)) {
  for (const Path& path : paths_)
    if (!path.steps().empty()) Add(branches_, path.steps(), 0);
}

void Projection::Add(std::vector<Branch>& branches, const std::vector<std::string>& steps,
                     size_t first) {
  auto found = std::ranges::find(branches, steps[first], &Branch::name);
  if (found == branches.end())
    found = branches.insert(found, Branch{.name = steps[first], .is_whole = false, .fields = {}});
  if (found->is_whole) return;
  if (first + 1 < steps.size()) return Add(found->fields, steps, first + 1);
  found->is_whole = true;
  found->fields.clear();
}

void Projection::Copy(const std::vector<Branch>& branches, DocumentView document,
                      std::string& out) {
  const size_t start = out.size();
  out.append(sizeof(uint32_t), '\0');
  for (const ElementView element : document) {
    const auto branch = std::ranges::find(branches, element.name(), &Branch::name);
    if (branch == branches.end()) continue;
    const bool is_copied = branch->is_whole || element.kind() == Kind::kArray;
    if (!is_copied && element.kind() != Kind::kObject) continue;
    // Type, name and payload lie behind each other.
    const char* const begin = element.name().data() - 1;
    out.append(begin, is_copied ? element.payload().data() + element.payload().size()
                                : element.payload().data());
    if (!is_copied) Copy(branch->fields, element.AsDocument(), out);
  }
  out.push_back('\0');
  const auto size = static_cast<uint32_t>(out.size() - start);
  std::memcpy(out.data() + start, &size, sizeof size);
}

Document Projection::Apply(DocumentView document) const {
  std::string out;
  Copy(branches_, document, out);
  return Document::Trusted(std::move(out));
}

}  // namespace orrery::model
