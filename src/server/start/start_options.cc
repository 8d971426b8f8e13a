#include "server/start/start_options.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "server/server_process.h"

namespace orrery::server {
namespace {

// A third of the files is for connections (net::ClientLimits), a half for partitions, and the rest
// for everything else: recovery, merges of tables, health checks.
constexpr size_t kFilesOfPartition = 8;  // six when it is idle, and tables
constexpr size_t kPartitionsMin = 8;
constexpr size_t kTableFilesMin = 32;
constexpr size_t kTableFilesMax = 512;
}  // namespace

Result<std::unique_ptr<net::TlsIdentity>> MakeTls(const cli::ServerSettings& settings,
                                                  const DataDirectory& data, const Clock& clock) {
  switch (settings.tls.mode) {
    case cli::TlsSettings::Mode::kOff:
      return nullptr;
    case cli::TlsSettings::Mode::kFiles:
      return net::TlsIdentity::Load(settings.tls.certificate_file, settings.tls.key_file);
    case cli::TlsSettings::Mode::kAuto:
      break;
  }
  // Clients come by these names beside those that every certificate has.
  std::vector<std::string> names;
  for (const std::string& name : {settings.listen_address, settings.advertise}) {
    const bool everywhere = name == "0.0.0.0" || name == "::";
    const bool usual = name == "localhost" || name == "127.0.0.1" || name == "::1";
    if (!name.empty() && !everywhere && !usual) names.push_back(name);
  }
  return net::TlsIdentity::LoadOrCreate(data.tls_path(), names, clock);
}

size_t PartitionsFor(size_t files_max) {
  return std::max(files_max / 2 / kFilesOfPartition, kPartitionsMin);
}

storage::ResourceOptions ResourcesFor(const cli::ServerSettings& settings, ClusterMember* member) {
  storage::ResourceOptions options{.block_cache_bytes = settings.cache_bytes,
                                   .memtable_bytes_max = settings.memtable_bytes};
  options.open_files_max =
      static_cast<int>(std::clamp(OpenFilesMax() / 64, kTableFilesMin, kTableFilesMax));
  if (member == nullptr) return options;
  options.recycled_log_bytes_min = UINT64_MAX;  // objects are not faster when they are written over
  options.file_system = member->files()->AsFileSystem();
  options.directory_owner = member->files();
  return options;
}

net::HostRule HostRuleOf(const cli::ServerSettings& settings) {
  const bool is_open = settings.keys.primary == gateway::kWellKnownKey ||
                       cli::EffectiveAuth(settings) == cli::AuthMode::kLocal;
  if (!is_open) return {};
  std::vector<std::string> names = settings.allowed_hosts;
  if (!settings.advertise.empty()) names.push_back(settings.advertise);
  if (const size_t scheme = settings.explorer_origin.find("://"); scheme != std::string::npos)
    names.emplace_back(net::HostOf(std::string_view(settings.explorer_origin).substr(scheme + 3)));
  return net::HostRule(std::move(names));
}

bool TrustsLocal(const cli::ServerSettings& settings) {
  return cli::EffectiveAuth(settings) == cli::AuthMode::kLocal;
}

bool RequiresTls(const cli::ServerSettings& settings) {
  return !cli::IsLoopback(settings.listen_address) && !settings.allow_insecure;
}

}  // namespace orrery::server
