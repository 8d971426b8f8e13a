// Preloaded, it takes a node's fences away: its clock does not notice that the process was stopped,
// so that a lease that ran out meanwhile seems good; what it writes to the store does not ask for
// the epoch; and it shuts nobody out. A run of tools/zombies with it must find something.
//
// A stop is a pause of everybody in asking for the time. Waits until a monotonic time end when the
// node's clock shows it.
#include <dlfcn.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <rados/librados.hpp>

namespace {

constexpr int64_t kSecond = 1'000'000'000;
// Something in a node asks for the time more often.
constexpr int64_t kStopMin = kSecond / 2;

std::atomic<int64_t> last_asked{0};
std::atomic<int64_t> slept{0};

int64_t ToNanos(const timespec& time) { return time.tv_sec * kSecond + time.tv_nsec; }
timespec ToTime(int64_t nanos) { return {.tv_sec = nanos / kSecond, .tv_nsec = nanos % kSecond}; }

// By name, as they are called: this library's stand before them.
template <typename Function>
Function Real(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* now) noexcept {
  const int result = static_cast<int>(syscall(SYS_clock_gettime, clock, now));
  if (result != 0 || (clock != CLOCK_MONOTONIC && clock != CLOCK_MONOTONIC_COARSE)) return result;
  const int64_t asked = ToNanos(*now);
  int64_t last = last_asked.load();
  while (asked > last && !last_asked.compare_exchange_weak(last, asked)) {
  }
  if (last != 0 && asked - last > kStopMin) slept += asked - last;
  *now = ToTime(asked - slept);
  return 0;
}

extern "C" int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                      clockid_t clock, const timespec* until) {
  static const auto real =
      Real<int (*)(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*)>(
          "pthread_cond_clockwait");
  timespec shifted = *until;
  if (clock == CLOCK_MONOTONIC) shifted = ToTime(ToNanos(*until) + slept);
  return real(condition, mutex, clock, &shifted);
}

void librados::ObjectOperation::cmpxattr(const char* name, uint8_t op,
                                         const librados::bufferlist& value) {
  if (std::strcmp(name, "epoch") == 0) return;
  using Function =
      void (*)(librados::ObjectOperation*, const char*, uint8_t, const librados::bufferlist&);
  static const auto real = Real<Function>(
      "_ZN8librados7v14_2_015ObjectOperation8cmpxattrEPKchRKN4ceph6buffer7v15_2_04listE");
  real(this, name, op, value);
}

int librados::Rados::blocklist_add(const std::string& /*address*/, uint32_t /*seconds*/) {
  return 0;
}
