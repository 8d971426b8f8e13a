// A peer's request is answered, whatever it says: readable bytes may still ask for what no gateway
// asks for. The first byte chooses the method, the rest is the body; it is asked of a table and of
// a container of documents that are really there.
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <future>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/log.h"
#include "base/metrics.h"
#include "base/thread_pool.h"
#include "gateway/account/accounts.h"
#include "gateway/core.h"
#include "gateway/remote/envelope.h"
#include "gateway/remote/remote_service.h"
#include "storage/resources.h"

namespace {

using namespace orrery;           // NOLINT(google-build-using-namespace)
using namespace orrery::gateway;  // NOLINT(google-build-using-namespace)
using cluster::PeerMethod;

// Kept corpora name a method by its place: add at the end.
constexpr std::array kMethods = {
    PeerMethod::kWriteItems,     PeerMethod::kReadItem,    PeerMethod::kScanItems,
    PeerMethod::kReadFeed,       PeerMethod::kWriteRows,   PeerMethod::kReadRow,
    PeerMethod::kScanRows,       PeerMethod::kReadRowFeed, PeerMethod::kEstimateRows,
    PeerMethod::kReadForProgram, PeerMethod::kBuildIndex,  PeerMethod::kDropIndex,
    PeerMethod::kFindHolder,     PeerMethod::kRunProgram, PeerMethod::kScanManyItems,
};

// On a store in a temporary directory, which writes nothing through.
class Callee {
 public:
  Callee() {
    SetLogLevel(LogLevel::kError);
    std::filesystem::create_directories(directory_);
    auto opened = Core::Open(
        {.directory = directory_.string(), .sequencer = {.durability = storage::Durability::kOs}},
        {.resources = resources_,
         .commit_pool = commit_pool_,
         .io_pool = io_pool_,
         .accounts = accounts_,
         .clock = clock_,
         .metrics = metrics_});
    ORRERY_CHECK(opened.has_value());
    core_ = *std::move(opened);
    ORRERY_CHECK(core_->catalog().CreateDatabase("db", {}).has_value());
    ContainerSettings settings;
    settings.name = "documents";
    settings.partition_key_paths = {"/pk"};
    documents_ = Make(settings);
    settings.name = "rows";
    settings.hashing = partition::KeyHashing::kCassandra;
    settings.order = model::Order::kCql;
    settings.indexing.automatic = false;
    settings.rows.emplace();
    settings.rows->clustering = {model::Direction::kAscending};
    rows_ = Make(settings);
    service_ = std::make_unique<RemoteService>(core_->catalog(), core_->gateway(), core_->rows(),
                                               programs_);
  }
  ~Callee() {
    service_->Stop();
    core_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }

  void Ask(PeerMethod method, std::string_view body) {
    for (const ContainerRef& container : {documents_, rows_}) {
      std::promise<std::string> answered;
      service_->Serve(NodeId(2), method,
                      WrapRequest({.container = container->id, .version = 1}, body),
                      [&answered](Result<std::string> answer) {
                        ORRERY_CHECK(answer.has_value());  // errors are in it
                        answered.set_value(*std::move(answer));
                      });
      (void)OpenAnswer(answered.get_future().get());
    }
  }

 private:
  ContainerRef Make(const ContainerSettings& settings) {
    auto created = core_->catalog().CreateContainer("db", settings);
    ORRERY_CHECK(created.has_value());
    return *std::move(created);
  }

  const std::filesystem::path directory_ =
      std::filesystem::temp_directory_path() / ("orrery-callee-" + std::to_string(getpid()));
  ManualClock clock_;
  storage::EngineResources resources_;
  ThreadPool commit_pool_{"commit", 1, 1'000};
  ThreadPool io_pool_{"io", 1, 1'000};
  MetricsRegistry metrics_;
  Accounts accounts_ = *Accounts::Create({});
  std::unique_ptr<Core> core_;
  ContainerRef documents_;
  ContainerRef rows_;
  const ProgramRegistry programs_;
  std::unique_ptr<RemoteService> service_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static Callee callee;
  if (size == 0) return 0;
  callee.Ask(kMethods[data[0] % kMethods.size()],
             {reinterpret_cast<const char*>(data) + 1, size - 1});
  return 0;
}
