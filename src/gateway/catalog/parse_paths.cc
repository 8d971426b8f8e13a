#include "gateway/catalog/parse_paths.h"

#include <utility>

namespace orrery::gateway {

Result<std::vector<model::Path>> ParsePaths(const std::vector<std::string>& texts) {
  std::vector<model::Path> paths;
  paths.reserve(texts.size());
  for (const std::string& text : texts) {
    ORRERY_ASSIGN(model::Path path, model::Path::Parse(text));
    paths.push_back(std::move(path));
  }
  return paths;
}

}  // namespace orrery::gateway
