// StartOptions are what several parts of a server derive from its settings: the certificate, limits
// of files, who may come in and by which names.
#pragma once

#include <memory>

#include "base/clock.h"
#include "base/status.h"
#include "cli/settings/server_settings.h"
#include "net/http/host_rule.h"
#include "net/tls/tls_identity.h"
#include "server/cluster_member.h"
#include "server/data_directory.h"
#include "storage/resources.h"

namespace orrery::server {

// Returns null if TLS is off.
Result<std::unique_ptr<net::TlsIdentity>> MakeTls(const cli::ServerSettings& settings,
                                                  const DataDirectory& data, const Clock& clock);

// Returns how many partitions the limit of open files allows.
size_t PartitionsFor(size_t files_max);
// `member` is null on a single machine.
storage::ResourceOptions ResourcesFor(const cli::ServerSettings& settings, ClusterMember* member);

// Returns the names that clients may use while others could guess how to get in.
net::HostRule HostRuleOf(const cli::ServerSettings& settings);
// Returns whether clients of this machine come in without credentials.
bool TrustsLocal(const cli::ServerSettings& settings);
// Returns whether clients have to use TLS.
bool RequiresTls(const cli::ServerSettings& settings);

}  // namespace orrery::server
