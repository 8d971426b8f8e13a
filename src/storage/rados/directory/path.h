// Paths of the file system on an object store: names between slashes, from the root on.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orrery::storage::rados {

// "/a/b" for "a//b/", "/a/./b" and "/a/x/../b"; "/" for the root.
std::string NormalPath(std::string_view path);

// The directory above and the name in it. The root has an empty name. REQUIRES: a normal path.
std::pair<std::string, std::string> SplitPath(const std::string& path);

// Returns whether `path` is `directory` or below it. REQUIRES: normal paths.
bool IsWithin(const std::string& path, const std::string& directory);

}  // namespace orrery::storage::rados
