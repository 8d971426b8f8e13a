#include "faults/abort_note.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstring>

namespace orrery::faults {
namespace {

struct Slot {
  std::atomic<bool> taken{false};
  std::array<char, 256> text{};
};
std::array<Slot, kAbortNotesMax> slots;

void OnAbort(int) {
  for (const Slot& slot : slots) {
    if (!slot.taken.load()) continue;
    static_cast<void>(!write(STDERR_FILENO, slot.text.data(), std::strlen(slot.text.data())));
  }
  std::signal(SIGABRT, SIG_DFL);
  std::raise(SIGABRT);
}

}  // namespace

AbortNote::AbortNote(std::string_view text) : slot_(0) {
  std::signal(SIGABRT, OnAbort);
  while (slot_ < slots.size() && slots[slot_].taken.exchange(true)) ++slot_;
  if (slot_ == slots.size()) return;
  auto& stored = slots[slot_].text;
  const size_t size = std::min(text.size(), stored.size() - 2);
  std::copy_n(text.data(), size, stored.data());
  stored[size] = '\n';
  stored[size + 1] = '\0';
}

AbortNote::~AbortNote() {
  if (slot_ < slots.size()) slots[slot_].taken.store(false);
}

}  // namespace orrery::faults
