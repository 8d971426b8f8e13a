// RocksDB's checksums of log records, by the processor's instruction.
//
// Debian builds RocksDB for any x86-64 and leaves the choice to the compiler, so that it adds up
// byte by byte: 7 % of what an insert cost. The linker sends RocksDB's calls of its function here
// (--wrap in CMakeLists.txt). Where RocksDB is built otherwise nothing calls this.
#include "base/crc32c.h"

extern "C" uint32_t RocksCrc32cExtend(uint32_t crc, const char* data, size_t size) __asm__(
    "__wrap__ZN7rocksdb6crc32c6ExtendEjPKcm");

uint32_t RocksCrc32cExtend(uint32_t crc, const char* data, size_t size) {
  return orrery::Crc32c(crc, {data, size});
}
