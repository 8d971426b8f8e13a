#include "storage/rados/directory/path.h"

namespace orrery::storage::rados {

std::string NormalPath(std::string_view path) {
  std::vector<std::string_view> names;
  while (!path.empty()) {
    const size_t slash = std::min(path.find('/'), path.size());
    const std::string_view name = path.substr(0, slash);
    if (name == ".." && !names.empty()) names.pop_back();
    if (!name.empty() && name != "." && name != "..") names.push_back(name);
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  std::string normal;
  for (const std::string_view name : names) normal.append("/").append(name);
  return normal.empty() ? "/" : normal;
}

std::pair<std::string, std::string> SplitPath(const std::string& path) {
  const size_t slash = path.rfind('/');
  return {slash == 0 ? "/" : path.substr(0, slash), path.substr(slash + 1)};
}

bool IsWithin(const std::string& path, const std::string& directory) {
  if (directory == "/" || path == directory) return true;
  return path.starts_with(directory) && path[directory.size()] == '/';
}

}  // namespace orrery::storage::rados
