#include "cql/idle_connections.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "cql/wire/session.h"

namespace orrery::bench {
namespace {

// For everything but the idle connections.
constexpr rlim_t kOtherFiles = 1'024;

Status AllowOpenFiles(size_t count) {
  ::rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  const rlim_t wanted = count + kOtherFiles;
  if (limit.rlim_cur >= wanted) return {};
  limit.rlim_max = std::max(limit.rlim_max, wanted);  // only root may; else the next call fails
  limit.rlim_cur = wanted;
  if (::setrlimit(RLIMIT_NOFILE, &limit) == 0) return {};
  return Fail(Code::kResourceExhausted, fmt::format("the system allows no {} open files", wanted));
}

}  // namespace

struct IdleConnections::Impl {
  boost::asio::io_context context;
  std::vector<std::unique_ptr<Session>> sessions;
};

IdleConnections::IdleConnections() : impl_(std::make_unique<Impl>()) {}
IdleConnections::~IdleConnections() = default;

Status IdleConnections::Open(const Target& target, size_t count) {
  ORRERY_TRY(AllowOpenFiles(impl_->sessions.size() + count));
  for (size_t i = 0; i < count; ++i) {
    auto session = Session::Open(impl_->context, target);
    if (!session.has_value()) {
      return Fail(std::move(session).error().Annotate(fmt::format("connection {}", i + 1)));
    }
    impl_->sessions.push_back(*std::move(session));
  }
  return {};
}

}  // namespace orrery::bench
