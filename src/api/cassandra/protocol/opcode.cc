#include "api/cassandra/protocol/opcode.h"

#include <array>

namespace orrery::cassandra {
namespace {

struct Entry {
  std::string_view name;  // empty: the byte is no opcode
  bool is_request = false;
};

constexpr std::array<Entry, 0x11> kEntries = {{
    {"ERROR"},
    {"STARTUP", true},
    {"READY"},
    {"AUTHENTICATE"},
    {},
    {"OPTIONS", true},
    {"SUPPORTED"},
    {"QUERY", true},
    {"RESULT"},
    {"PREPARE", true},
    {"EXECUTE", true},
    {"REGISTER", true},
    {"EVENT"},
    {"BATCH", true},
    {"AUTH_CHALLENGE"},
    {"AUTH_RESPONSE", true},
    {"AUTH_SUCCESS"},
}};

const Entry& EntryOf(Opcode opcode) { return kEntries[static_cast<uint8_t>(opcode)]; }

}  // namespace

std::optional<Opcode> ToOpcode(uint8_t byte) {
  if (byte >= kEntries.size() || kEntries[byte].name.empty()) return std::nullopt;
  return static_cast<Opcode>(byte);
}

std::string_view OpcodeName(Opcode opcode) { return EntryOf(opcode).name; }

bool IsRequestOpcode(Opcode opcode) { return EntryOf(opcode).is_request; }

}  // namespace orrery::cassandra
