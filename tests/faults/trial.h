// Plays a scenario on a copy of its prepared data with faults of the test's choice, starts the core
// again on a sound disk, and audits it.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "crash/history.h"
#include "faults/scenario.h"
#include "storage/fault/fault_file_system.h"

namespace orrery::faults {

class TrialBench {
 public:
  // Prepares the scenario's data.
  explicit TrialBench(const Scenario& scenario);
  ~TrialBench();

  // Sets up the faults; called when they are to begin.
  using Arm = std::function<void(storage::FaultFileSystem&)>;
  // Looks at the core after the scenario has run, before it ends; not when the power is off.
  using Look = std::function<crash::Violations(Core&, World&)>;

  struct Faults {
    storage::PowerCutOptions power_cut;
    Arm arm;
    Arm arm_restart;  // for a first restart, which may fail; then comes another on a sound disk
    Look look;
    storage::Durability durability = storage::Durability::kDurable;
    // Acknowledged writes may be gone: only the start and the consistency of the rest are audited.
    bool losses_allowed = false;
  };
  struct Outcome {
    crash::Violations violations;
    // While the scenario ran.
    uint64_t calls = 0;
    std::array<uint64_t, storage::kFileCallKinds> calls_by_kind{};
  };
  // `label` names the trial if the process should end in it. Thread-safe.
  Outcome Play(const std::string& label, const Faults& faults);

  struct Trial {
    std::string label;
    Faults faults;
  };
  // Plays them several at a time: a failing disk makes engines wait rather than work. Returns what
  // was wrong, with the trials' labels.
  crash::Violations PlayAll(const std::vector<Trial>& trials);

 private:
  void RunScenario(const std::string& data, const Faults& faults, storage::FaultFileSystem& files,
                   ManualClock& clock, World& world, Outcome& outcome) const;

  const Scenario& scenario_;
  std::string directory_;
  World prepared_;
  Micros now_{0};
  std::string failure_;
  std::atomic<uint64_t> trials_{0};
};

// ORRERY_LONG=1: every index instead of a sample.
bool LongRun();

}  // namespace orrery::faults
