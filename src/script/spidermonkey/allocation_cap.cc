#include "script/spidermonkey/allocation_cap.h"

#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <span>
#include <string_view>

namespace orrery::script {
namespace {

constexpr std::string_view kLibrary = "libmozjs-";
constexpr size_t kNoCap = std::numeric_limits<size_t>::max();

thread_local size_t cap_bytes = kNoCap;

// The functions that the library would have called; written once, before it runs.
decltype(&std::malloc) next_malloc = nullptr;
decltype(&std::calloc) next_calloc = nullptr;
decltype(&std::realloc) next_realloc = nullptr;

bool Refuse(size_t bytes) { return bytes > cap_bytes; }

void* CappedMalloc(size_t bytes) { return Refuse(bytes) ? nullptr : next_malloc(bytes); }

void* CappedCalloc(size_t count, size_t bytes) {
  size_t total = 0;
  if (__builtin_mul_overflow(count, bytes, &total) || Refuse(total)) return nullptr;
  return next_calloc(count, bytes);
}

void* CappedRealloc(void* block, size_t bytes) {
  return Refuse(bytes) ? nullptr : next_realloc(block, bytes);
}

struct Import {
  std::string_view name;
  void* replacement;
  void** next;
  bool found = false;
};

// The parts of a loaded library's dynamic section that say which symbols it imports where.
struct ImportTables {
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  std::span<const ElfW(Rela)> relocations;
  std::span<const ElfW(Rela)> calls;
};

ImportTables ReadDynamicSection(ElfW(Addr) base, const ElfW(Dyn) * entry) {
  ImportTables tables;
  size_t relocation_bytes = 0;
  size_t call_bytes = 0;
  const ElfW(Rela)* relocations = nullptr;
  const ElfW(Rela)* calls = nullptr;
  // Some loaders leave the section's addresses relative to the library, some make them absolute.
  const auto address = [base](ElfW(Addr) value) { return value < base ? base + value : value; };
  for (; entry->d_tag != DT_NULL; ++entry) {
    switch (entry->d_tag) {
      case DT_SYMTAB:
        tables.symbols = reinterpret_cast<const ElfW(Sym)*>(address(entry->d_un.d_ptr));
        break;
      case DT_STRTAB:
        tables.names = reinterpret_cast<const char*>(address(entry->d_un.d_ptr));
        break;
      case DT_RELA:
        relocations = reinterpret_cast<const ElfW(Rela)*>(address(entry->d_un.d_ptr));
        break;
      case DT_RELASZ:
        relocation_bytes = entry->d_un.d_val;
        break;
      case DT_JMPREL:
        calls = reinterpret_cast<const ElfW(Rela)*>(address(entry->d_un.d_ptr));
        break;
      case DT_PLTRELSZ:
        call_bytes = entry->d_un.d_val;
        break;
      default:
        break;
    }
  }
  if (relocations != nullptr)
    tables.relocations = {relocations, relocation_bytes / sizeof(ElfW(Rela))};
  if (calls != nullptr) tables.calls = {calls, call_bytes / sizeof(ElfW(Rela))};
  return tables;
}

// The loader made the table read-only after filling it in (RELRO), so its page is opened for one
// write and closed again.
bool Redirect(void** slot, Import& import, bool read_only) {
  const auto page_bytes = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  auto* page = reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(slot) & ~(page_bytes - 1));
  if (mprotect(page, page_bytes, PROT_READ | PROT_WRITE) != 0) return false;
  if (!import.found) *import.next = *slot;
  *slot = import.replacement;
  import.found = true;
  return !read_only || mprotect(page, page_bytes, PROT_READ) == 0;
}

bool RedirectAll(const dl_phdr_info& library, std::span<Import> imports) {
  const ElfW(Phdr)* relro = nullptr;
  const ElfW(Phdr)* dynamic = nullptr;
  for (const ElfW(Phdr) & header : std::span(library.dlpi_phdr, library.dlpi_phnum)) {
    if (header.p_type == PT_GNU_RELRO) relro = &header;
    if (header.p_type == PT_DYNAMIC) dynamic = &header;
  }
  if (dynamic == nullptr) return false;
  const ElfW(Addr) base = library.dlpi_addr;
  const ImportTables tables =
      ReadDynamicSection(base, reinterpret_cast<const ElfW(Dyn)*>(base + dynamic->p_vaddr));
  if (tables.symbols == nullptr || tables.names == nullptr) return false;
  for (const std::span<const ElfW(Rela)> table : {tables.relocations, tables.calls}) {
    for (const ElfW(Rela) & relocation : table) {
      const auto symbol = ELF64_R_SYM(relocation.r_info);
      if (symbol == 0) continue;
      const std::string_view name = tables.names + tables.symbols[symbol].st_name;
      for (Import& import : imports) {
        if (import.name != name) continue;
        const bool read_only = relro != nullptr && relocation.r_offset >= relro->p_vaddr &&
                               relocation.r_offset < relro->p_vaddr + relro->p_memsz;
        auto* slot = reinterpret_cast<void**>(base + relocation.r_offset);
        if (!Redirect(slot, import, read_only)) return false;
      }
    }
  }
  return true;
}

}  // namespace

Status InstallAllocationCap() {
  Import imports[] = {
      {"malloc", reinterpret_cast<void*>(&CappedMalloc), reinterpret_cast<void**>(&next_malloc)},
      {"calloc", reinterpret_cast<void*>(&CappedCalloc), reinterpret_cast<void**>(&next_calloc)},
      {"realloc", reinterpret_cast<void*>(&CappedRealloc), reinterpret_cast<void**>(&next_realloc)},
  };
  dl_iterate_phdr(
      [](dl_phdr_info* library, size_t, void* argument) {
        if (std::string_view(library->dlpi_name).find(kLibrary) == std::string_view::npos) return 0;
        RedirectAll(*library, std::span(static_cast<Import*>(argument), 3));
        return 1;
      },
      imports);
  for (const Import& import : imports) {
    if (!import.found) {
      return Fail(Code::kUnsupported,
                  "the JavaScript library's allocations cannot be bounded on this system");
    }
  }
  return {};
}

ScopedAllocationCap::ScopedAllocationCap(size_t bytes) { cap_bytes = bytes; }

ScopedAllocationCap::~ScopedAllocationCap() { cap_bytes = kNoCap; }

}  // namespace orrery::script
