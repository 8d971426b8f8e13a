#include "storage/rados/object/librados_connection.h"

#include <fmt/core.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <ranges>
#include <utility>

#include "storage/rados/object/librados_error.h"

namespace orrery::storage::rados {
namespace {

// librados makes submitters wait beyond these; the callers of a store have bounds of their own.
constexpr std::string_view kOperationsMax = "16384";
constexpr std::string_view kOperationBytesMax = "1073741824";

// A client hears of a new map of the cluster from OSDs that it talks to. One whose operations all
// wait for an OSD that hangs talks to nobody: it asks the monitors for the next map when an
// operation has waited so long, in seconds, and looks for such so often. librados itself takes 10
// and 5, which is longer than the cluster needs to go on without that OSD.
constexpr std::string_view kAskForMapAfter = "1";
constexpr std::string_view kLookForLateEvery = "0.5";

// Never made: requirements on it fail when the user may do the rest.
constexpr const char* kProbeObject = "orrery.capability.probe";

std::string CapsCommand(const LibradosStore::Options& options) {
  return fmt::format(
      "ceph auth caps client.{} mon 'profile simple-rados-client-with-blocklist' osd 'allow rwx "
      "pool={}'",
      options.user, options.pool);
}

// Returns whether a file of the comma-separated `keyring` names the user: librados has one error
// for a missing key and a wrong one.
bool NamesUser(std::string_view keyring, const std::string& user) {
  const std::string section = fmt::format("[client.{}]", user);
  for (const auto path : std::views::split(keyring, ',')) {
    std::ifstream file(std::string(path.begin(), path.end()));
    for (std::string line; std::getline(file, line);)
      if (line.find(section) != std::string::npos) return true;
  }
  return false;
}

std::unexpected<Error> NotAdmitted(const LibradosStore::Options& options,
                                   const std::string& keyring) {
  if (!NamesUser(keyring, options.user))
    return Fail(Code::kForbidden,
                fmt::format("there is no key of client.{0} in {1}: get one with 'ceph auth get "
                            "client.{0}' and name its file as keyring in {2}, or name another user "
                            "with --rados-user",
                            options.user, keyring, options.conf));
  return Fail(Code::kForbidden,
              fmt::format("the Ceph cluster does not know client.{0} by the key in {1}, or lets it "
                          "see nothing: compare with 'ceph auth get client.{0}'; its capabilities "
                          "are set with '{2}'",
                          options.user, keyring, CapsCommand(options)));
}

}  // namespace

Result<std::unique_ptr<LibradosConnection>> LibradosConnection::Open(
    const LibradosStore::Options& options) {
  return WithoutExceptions([&]() -> Result<std::unique_ptr<LibradosConnection>> {
    std::unique_ptr<LibradosConnection> connection(new LibradosConnection);
    ORRERY_TRY(connection->Configure(options));
    ORRERY_TRY(connection->Reach(options));
    ORRERY_TRY(connection->OpenPool(options));
    ORRERY_TRY(connection->CheckCapabilities(options));
    return connection;
  });
}

LibradosConnection::~LibradosConnection() {
  io_.close();
  if (connected_) cluster_.shutdown();
}

Status LibradosConnection::Configure(const LibradosStore::Options& options) {
  std::error_code ignored;
  if (options.conf.empty() || !std::filesystem::is_regular_file(options.conf, ignored))
    return Fail(Code::kInvalidArgument,
                fmt::format("there is no Ceph configuration at '{}': give --rados-conf the path of "
                            "a ceph.conf that names the monitors",
                            options.conf));
  if (!std::ifstream(options.conf))
    return Fail(
        Code::kForbidden,
        fmt::format("{} cannot be read by this process: let its user read it", options.conf));
  const std::string user = "client." + options.user;
  ORRERY_TRY(RadosStatus(cluster_.init2(user.c_str(), "ceph", 0), "start librados as " + user));
  if (const int result = cluster_.conf_read_file(options.conf.c_str()); result < 0)
    return Fail(Code::kInvalidArgument,
                fmt::format("{} is not a Ceph configuration: give --rados-conf the path of a "
                            "ceph.conf that names the monitors",
                            options.conf));

  const std::string operation_timeout = std::to_string(options.operation_timeout.count());
  const std::pair<const char*, std::string> settings[] = {
      {"client_mount_timeout", std::to_string(options.connect_timeout.count())},
      {"rados_mon_op_timeout", operation_timeout},
      {"rados_osd_op_timeout", operation_timeout},
      {"objecter_inflight_ops", std::string(kOperationsMax)},
      {"objecter_inflight_op_bytes", std::string(kOperationBytesMax)},
      {"objecter_timeout", std::string(kAskForMapAfter)},
      {"objecter_tick_interval", std::string(kLookForLateEvery)},
      // Errors come back in answers; librados must not write to the process's streams.
      {"log_to_stderr", "false"},
      {"err_to_stderr", "false"},
  };
  for (const auto& [name, value] : settings)
    ORRERY_TRY(RadosStatus(cluster_.conf_set(name, value.c_str()),
                           fmt::format("set {} of librados", name)));

  std::string monitors;
  if (cluster_.conf_get("mon_host", monitors) < 0 || monitors.empty())
    return Fail(Code::kInvalidArgument,
                fmt::format("{} names no monitors: it needs a line 'mon_host = ADDRESS' under "
                            "[global]",
                            options.conf));
  return {};
}

Status LibradosConnection::Reach(const LibradosStore::Options& options) {
  const int result = cluster_.connect();
  connected_ = result >= 0;
  if (connected_) return {};
  std::string monitors;
  std::string keyring;
  cluster_.conf_get("mon_host", monitors);
  cluster_.conf_get("keyring", keyring);
  switch (-result) {
    case ETIMEDOUT:
      return Fail(
          Code::kUnavailable,
          fmt::format("no Ceph monitor at {} answers within {} s: are they running, and can "
                      "this machine reach them?",
                      monitors, options.connect_timeout.count()));
    case EINVAL:
      return Fail(
          Code::kInvalidArgument,
          fmt::format("'{}', which {} names as mon_host, are no addresses of Ceph monitors, "
                      "or names that this machine cannot resolve",
                      monitors, options.conf));
    case EIO:
      return Fail(
          Code::kForbidden,
          fmt::format("the key of client.{0} in {1} cannot be read: get it again with 'ceph "
                      "auth get client.{0} -o FILE'",
                      options.user, keyring));
    case ENOENT:
    case EPERM:
    case EACCES:
      return NotAdmitted(options, keyring);
    default:
      return Fail(RadosError(result, "connect to the Ceph monitors at " + monitors));
  }
}

Status LibradosConnection::OpenPool(const LibradosStore::Options& options) {
  const int result = cluster_.ioctx_create(options.pool.c_str(), io_);
  if (result == -ENOENT)
    return Fail(Code::kNotFound,
                fmt::format("the Ceph cluster has no pool '{}': make it with 'ceph osd pool create "
                            "{} 32 --size 4', 'ceph osd pool set {} min_size 3' and 'ceph osd pool "
                            "application enable {} orrery'",
                            options.pool, options.pool, options.pool, options.pool));
  ORRERY_TRY(RadosStatus(result, fmt::format("open the pool '{}'", options.pool)));
  io_.set_namespace(options.name_space);
  // Answers that the pool is full instead of waiting until it is not.
  io_.set_pool_full_try();
  return {};
}

Status LibradosConnection::CheckCapabilities(const LibradosStore::Options& options) {
  librados::ObjectWriteOperation write;
  write.assert_exists();
  write.create(false);
  int result = io_.operate(kProbeObject, &write);
  if (result == -ENOENT) {
    std::list<librados::locker_t> lockers;
    result = io_.list_lockers(kProbeObject, "probe", nullptr, nullptr, &lockers);
  }
  if (result == -ENOENT) {
    // An address that nothing can have: only who may blocklist is told so.
    result = cluster_.mon_command(
        R"({"prefix":"osd blocklist","blocklistop":"add","addr":"probe/0"})", {}, nullptr, nullptr);
    if (result == -EINVAL) return {};
  }
  if (result == -EPERM || result == -EACCES)
    return Fail(Code::kForbidden,
                fmt::format("client.{} has too few capabilities for the pool '{}': run '{}'",
                            options.user, options.pool, CapsCommand(options)));
  return RadosStatus(result, fmt::format("try the pool '{}'", options.pool));
}

Result<std::string> LibradosConnection::AskMonitor(const std::string& json, std::string_view what) {
  librados::bufferlist answer;
  std::string words;
  const int result = cluster_.mon_command(json, {}, &answer, &words);
  if (result < 0)
    return Fail(std::move(RadosError(result, what)).Annotate("a Ceph monitor refused"));
  return answer.to_str();
}

}  // namespace orrery::storage::rados
