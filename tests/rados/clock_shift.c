// Preloaded, it makes a process live on a machine whose wall clock is off by CLOCK_SHIFT_SECONDS;
// the monotonic clocks stay as they are.
//
// By system calls alone: looking up what is replaced would allocate, and allocators ask for the
// time. Waits until a wall time end when the shifted clock shows it. Times of files, and what the
// kernel tells in other ways, are not shifted.
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// No machine has been up for so long: later times are wall times.
static const time_t uptime_max = 1000000000;
static time_t shift;

__attribute__((constructor)) static void read_shift(void) {
  const char* text = getenv("CLOCK_SHIFT_SECONDS");
  if (text != NULL) shift = strtol(text, NULL, 10);
}

int clock_gettime(clockid_t clock, struct timespec* now) {
  const int result = (int)syscall(SYS_clock_gettime, clock, now);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
    now->tv_sec += shift;
  return result;
}

int gettimeofday(struct timeval* restrict now, void* restrict zone) {
  (void)zone;
  struct timespec time;
  if (clock_gettime(CLOCK_REALTIME, &time) != 0) return -1;
  now->tv_sec = time.tv_sec;
  now->tv_usec = time.tv_nsec / 1000;
  return 0;
}

time_t time(time_t* now) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  if (now != NULL) *now = time.tv_sec;
  return time.tv_sec;
}

static clockid_t to_real(const struct timespec* until, struct timespec* real) {
  *real = *until;
  if (until->tv_sec < uptime_max) return CLOCK_MONOTONIC;
  real->tv_sec -= shift;
  return CLOCK_REALTIME;
}

int pthread_cond_timedwait(pthread_cond_t* restrict condition, pthread_mutex_t* restrict mutex,
                           const struct timespec* restrict until) {
  struct timespec real;
  const clockid_t clock = to_real(until, &real);
  return pthread_cond_clockwait(condition, mutex, clock, &real);
}

int sem_timedwait(sem_t* restrict semaphore, const struct timespec* restrict until) {
  struct timespec real;
  const clockid_t clock = to_real(until, &real);
  return sem_clockwait(semaphore, clock, &real);
}
