#include "gateway/move/move_pause.h"

#include <fmt/format.h>

#include <atomic>
#include <memory>
#include <utility>

#include "base/check.h"
#include "base/has_code.h"
#include "gateway/move/move_lock.h"

namespace orrery::gateway {
namespace {

// Holders of pauses, beside those of transactions.
constexpr uint64_t kPauseHolders = uint64_t{1} << 62;
constexpr int kEndsMax = 50;
constexpr std::chrono::milliseconds kEndPause{100};

}  // namespace

std::string MovePauseKey(ContainerId id) { return fmt::format("pause/{}", id.value()); }

MovePause::~MovePause() {
  // While the system store takes no changes it cannot be opened: then writes are refused.
  for (int attempt = 0; has_begun() && attempt < kEndsMax; ++attempt) {
    if (!End().has_value()) std::this_thread::sleep_for(kEndPause);
  }
  if (has_begun()) EndSwitched();
  for (std::thread& each : waiting_) each.join();
}

bool MovePause::Begin(const ContainerRef& container) {
  ORRERY_CHECK(!has_begun());
  began_ = std::chrono::steady_clock::now();
  holder_ = kPauseHolders | container->id.value();
  // Before the gate is closed, so that whoever meets it finds whom to wait for.
  if (!reservations_.Reserve(MovePauseKey(container->id), holder_)) return false;
  container_ = container;
  container->gate->Close();
  const auto empty = std::make_shared<std::atomic<bool>>(false);
  waiting_.emplace_back([gate = container->gate, empty] {
    gate->WaitUntilEmpty();
    empty->store(true);
    empty->notify_all();
  });
  while (!empty->load() && length() < kGraceMax)
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  if (empty->load()) {
    waiting_.back().join();
    waiting_.pop_back();
    return true;
  }
  // A gate that is left open for good would be worse than a container that waits a little longer.
  while (!End().has_value()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return false;
}

Status MovePause::End() {
  if (!has_begun()) return {};
  const auto snapshot = catalog_.snapshot();
  const ContainerRef now = snapshot->Newest(*container_);
  if (now != nullptr && now->gate == container_->gate) {
    const MoveScope scope;
    // An update of a container whose gate is closed gives it a new one.
    const auto opened = catalog_.UpdateContainer(now->database_name, now->settings);
    if (!opened.has_value() && !HasCode(opened, Code::kNotFound)) return Fail(opened.error());
  }
  EndSwitched();
  return {};
}

void MovePause::EndSwitched() {
  container_ = nullptr;
  reservations_.Release(std::exchange(holder_, 0));
}

}  // namespace orrery::gateway
