#include "faults/trial.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "base/log.h"
#include "faults/abort_note.h"
#include "faults/audit.h"

namespace orrery::faults {
namespace {

constexpr Micros kStart{std::chrono::seconds(1'700'000'000)};

// More than cores: most of a trial's time goes by while engines wait after an error.
constexpr size_t kParallel = 8;
// Enough to see what goes wrong.
constexpr size_t kFailuresMax = 3;

// Says at the end how many trials there were, for tools/crash.
class TrialCounter : public testing::Environment {
 public:
  void TearDown() override { fmt::print("tried {} faults\n", count); }
  std::atomic<uint64_t> count{0};
};
TrialCounter* const counter = static_cast<TrialCounter*>(
    testing::AddGlobalTestEnvironment(std::make_unique<TrialCounter>().release()));

// ORRERY_TRIAL=text tries only those whose label begins so, and lets the core log.
std::string_view OnlyTrial() {
  const char* label = std::getenv("ORRERY_TRIAL");
  return label == nullptr ? std::string_view() : label;
}

std::string MakeDirectory() {
  std::string pattern = (std::filesystem::temp_directory_path() / "orrery-faults-XXXXXX").string();
  return mkdtemp(pattern.data()) == nullptr ? std::string() : pattern;
}

}  // namespace

bool LongRun() {
  const char* flag = std::getenv("ORRERY_LONG");
  return flag != nullptr && std::string_view(flag) == "1";
}

TrialBench::TrialBench(const Scenario& scenario)
    : scenario_(scenario), directory_(MakeDirectory()) {
  SetLogLevel(OnlyTrial().empty() ? LogLevel::kOff : LogLevel::kInfo);
  const AbortNote note("in trial: " + scenario.name + ", preparing");
  storage::FaultFileSystem files(directory_ + "/scratch");
  ManualClock clock(kStart);
  std::filesystem::create_directories(directory_ + "/data");
  auto core = Core::Open(directory_ + "/data", files, clock);
  if (!core.has_value()) {
    failure_ = core.error().ToString();
    return;
  }
  Status built = prepared_.Build(**core);
  scenario.prepare(**core, prepared_);
  if (built.has_value()) built = prepared_.Rebase(**core);
  if (!built.has_value()) failure_ = built.error().ToString();
  now_ = clock.Now();
}

TrialBench::~TrialBench() { std::filesystem::remove_all(directory_); }

TrialBench::Outcome TrialBench::Play(const std::string& label, const Faults& faults) {
  Outcome outcome;
  if (!failure_.empty()) {
    outcome.violations.push_back("preparing: " + failure_);
    return outcome;
  }
  const AbortNote note("in trial: " + scenario_.name + ", " + label);
  ++counter->count;
  const std::string place = fmt::format("{}/{}", directory_, trials_++);
  const std::string data = place + "/data";
  std::filesystem::create_directories(place);
  std::filesystem::copy(directory_ + "/data", data, std::filesystem::copy_options::recursive);
  {
    storage::FaultFileSystem files(place + "/scratch", faults.power_cut);
    ManualClock clock(now_);
    World world = prepared_;
    RunScenario(data, faults, files, clock, world, outcome);

    files.Restart();
    if (faults.arm_restart) {
      faults.arm_restart(files);
      static_cast<void>(Core::Open(data, files, clock));
      files.Restart();
    }
    if (auto core = Core::Open(data, files, clock); core.has_value()) {
      for (std::string& violation :
           faults.losses_allowed ? AuditConsistency(**core, world) : Audit(**core, world))
        outcome.violations.push_back(std::move(violation));
    } else {
      outcome.violations.push_back("does not start again: " + core.error().ToString());
    }
  }
  std::filesystem::remove_all(place);
  return outcome;
}

crash::Violations TrialBench::PlayAll(const std::vector<Trial>& trials) {
  std::atomic<size_t> next{0};
  std::atomic<size_t> failures{0};
  std::vector<crash::Violations> found(trials.size());
  {
    std::vector<std::jthread> threads;
    for (size_t i = 0; i < kParallel; ++i) {
      threads.emplace_back([&] {
        for (size_t at = next++; at < trials.size() && failures < kFailuresMax; at = next++) {
          if (!trials[at].label.starts_with(OnlyTrial())) continue;
          found[at] = Play(trials[at].label, trials[at].faults).violations;
          if (!found[at].empty()) ++failures;
        }
      });
    }
  }
  crash::Violations all;
  for (size_t i = 0; i < trials.size(); ++i) {
    for (const std::string& violation : found[i]) all.push_back(trials[i].label + ": " + violation);
  }
  return all;
}

void TrialBench::RunScenario(const std::string& data, const Faults& faults,
                             storage::FaultFileSystem& files, ManualClock& clock, World& world,
                             Outcome& outcome) const {
  const auto kinds = [&] {
    std::array<uint64_t, storage::kFileCallKinds> counts{};
    for (size_t kind = 0; kind < counts.size(); ++kind)
      counts[kind] = files.calls(static_cast<storage::FileCall>(kind));
    return counts;
  };
  if (scenario_.faults_at_start && faults.arm) faults.arm(files);
  auto core = Core::Open(data, files, clock, faults.durability);
  if (!core.has_value()) return;
  const auto before = scenario_.faults_at_start ? decltype(kinds()){} : kinds();
  if (!scenario_.faults_at_start && faults.arm) faults.arm(files);
  scenario_.run(**core, world);
  for (const std::string& error : (*core)->unclean_errors())
    outcome.violations.push_back("unclean error: " + error);
  outcome.calls_by_kind = kinds();
  for (size_t kind = 0; kind < before.size(); ++kind) {
    outcome.calls_by_kind[kind] -= before[kind];
    outcome.calls += outcome.calls_by_kind[kind];
  }
  if (!faults.look || files.crashed()) return;
  files.ClearFaults();
  for (std::string& violation : faults.look(**core, world))
    outcome.violations.push_back(std::move(violation));
}

}  // namespace orrery::faults
