// Loaded before a program (LD_PRELOAD): what the system gives it goes wrong.
//
//   TWINSET_FAIL_ALLOCATION=k      the k-th allocation by `new` in main() and all after it, or with
//   TWINSET_FAIL_ONCE=1            it alone, throw std::bad_alloc
//   TWINSET_COUNT_ALLOCATIONS=FILE the number of allocations is written there at the end
//   TWINSET_CLOCK=SECONDS,SECONDS  the clock of the wall shows these in turn, a call each
//
// Thread-safe.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>

namespace {

std::atomic<bool> in_main = false;
std::atomic<unsigned long long> allocations = 0;
std::atomic<unsigned> looks = 0;
unsigned long long fail_at = ~0ULL;
bool fails_once = false;

__attribute__((constructor)) void begin() {
  if (const char* const k = std::getenv("TWINSET_FAIL_ALLOCATION")) {
    fail_at = std::strtoull(k, nullptr, 10);
  }
  fails_once = std::getenv("TWINSET_FAIL_ONCE") != nullptr;
}

__attribute__((destructor)) void end() {
  const char* const path = std::getenv("TWINSET_COUNT_ALLOCATIONS");
  if (path == nullptr) return;
  if (std::FILE* const file = std::fopen(path, "w")) {
    std::fprintf(file, "%llu\n", allocations.load());
    std::fclose(file);
  }
}

void* allocate(std::size_t size, std::size_t alignment) {
  const unsigned long long number = in_main ? allocations++ : 0;
  const bool fails = in_main && (fails_once ? number == fail_at : number >= fail_at);
  void* const found =
      fails ? nullptr
      : alignment == 0
          ? std::malloc(size == 0 ? 1 : size)
          : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (found == nullptr) throw std::bad_alloc();
  return found;
}

/// The time to show, or -1: the real one.
long long shown_seconds() {
  const char* times = std::getenv("TWINSET_CLOCK");
  if (times == nullptr || *times == '\0') return -1;
  unsigned count = 1;
  for (const char* at = times; *at != '\0'; ++at) count += *at == ',' ? 1 : 0;
  for (unsigned skip = looks++ % count; skip > 0; --skip) times = std::strchr(times, ',') + 1;
  return std::strtoll(times, nullptr, 10);
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size, 0); }
void* operator new[](std::size_t size) { return allocate(size, 0); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

/// What main() begins with.
extern "C" int mallopt(int what, int value) noexcept {
  in_main = true;
  return reinterpret_cast<int (*)(int, int)>(::dlsym(RTLD_NEXT, "mallopt"))(what, value);
}

extern "C" int clock_gettime(clockid_t clock, timespec* time) noexcept {
  const long result = ::syscall(SYS_clock_gettime, clock, time);
  if (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE) return static_cast<int>(result);
  const long long seconds = shown_seconds();
  if (seconds >= 0) time->tv_sec = seconds;
  return static_cast<int>(result);
}

extern "C" time_t time(time_t* out) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (out != nullptr) *out = now.tv_sec;
  return now.tv_sec;
}

extern "C" int gettimeofday(timeval* __restrict out, void* __restrict) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  out->tv_sec = now.tv_sec;
  out->tv_usec = now.tv_nsec / 1000;
  return 0;
}
