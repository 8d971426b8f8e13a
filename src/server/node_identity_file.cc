#include "server/node_identity_file.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace orrery::server {
namespace {

// Of this start of the machine's kernel.
std::string BootId() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  file >> id;
  return id;
}

std::string DescribeHere(const DataDirectory& directory) {
  struct stat lock{};
  const std::string boot = BootId();
  if (boot.empty() || stat(directory.lock_path().c_str(), &lock) != 0) return {};
  return fmt::format("boot {} lock {}:{}", boot, lock.st_dev, lock.st_ino);
}

}  // namespace

NodeIdentityFile::NodeIdentityFile(const DataDirectory& directory)
    : path_(directory.path() + "/SEAT"), here_(DescribeHere(directory)) {}

std::string NodeIdentityFile::Line(std::string_view cluster_id, NodeId node) const {
  return fmt::format("cluster {} node {} {}", cluster_id, node.value(), here_);
}

NodeId NodeIdentityFile::Predecessor(std::string_view cluster_id) const {
  std::ifstream file(path_);
  std::string line;
  if (here_.empty() || !std::getline(file, line)) return {};
  std::istringstream words(line);
  std::string cluster, id, node;
  uint64_t number = 0;
  if (!(words >> cluster >> id >> node >> number)) return {};
  return line == Line(cluster_id, NodeId(number)) ? NodeId(number) : NodeId();
}

Status NodeIdentityFile::Write(std::string_view cluster_id, NodeId self) const {
  const std::string fresh = path_ + ".new";
  std::ofstream file(fresh, std::ios::trunc);
  file << Line(cluster_id, self) << '\n';
  file.close();
  std::error_code error;
  if (file) std::filesystem::rename(fresh, path_, error);
  if (file && !error) return {};
  return Fail(Code::kForbidden, fmt::format("'{}' cannot be written", path_));
}

}  // namespace orrery::server
