// The codes of GraphBinary's types.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

namespace orrery::gremlin::binary {

inline constexpr uint8_t kInt = 0x01;
inline constexpr uint8_t kLong = 0x02;
inline constexpr uint8_t kString = 0x03;
inline constexpr uint8_t kDate = 0x04;
inline constexpr uint8_t kTimestamp = 0x05;
inline constexpr uint8_t kClass = 0x06;
inline constexpr uint8_t kDouble = 0x07;
inline constexpr uint8_t kFloat = 0x08;
inline constexpr uint8_t kList = 0x09;
inline constexpr uint8_t kMap = 0x0a;
inline constexpr uint8_t kSet = 0x0b;
inline constexpr uint8_t kUuid = 0x0c;
inline constexpr uint8_t kEdge = 0x0d;
inline constexpr uint8_t kPath = 0x0e;
inline constexpr uint8_t kProperty = 0x0f;
inline constexpr uint8_t kGraph = 0x10;
inline constexpr uint8_t kVertex = 0x11;
inline constexpr uint8_t kVertexProperty = 0x12;
inline constexpr uint8_t kBinding = 0x14;
inline constexpr uint8_t kBytecode = 0x15;
inline constexpr uint8_t kLambda = 0x1d;
inline constexpr uint8_t kPredicate = 0x1e;
inline constexpr uint8_t kTraverser = 0x21;
inline constexpr uint8_t kBigDecimal = 0x22;
inline constexpr uint8_t kBigInteger = 0x23;
inline constexpr uint8_t kByte = 0x24;
inline constexpr uint8_t kByteBuffer = 0x25;
inline constexpr uint8_t kShort = 0x26;
inline constexpr uint8_t kBoolean = 0x27;
inline constexpr uint8_t kTextPredicate = 0x28;
inline constexpr uint8_t kStrategy = 0x29;
inline constexpr uint8_t kBulkSet = 0x2a;
inline constexpr uint8_t kTree = 0x2b;
inline constexpr uint8_t kMetrics = 0x2c;
inline constexpr uint8_t kTraversalMetrics = 0x2d;
inline constexpr uint8_t kChar = 0x80;
inline constexpr uint8_t kOffsetDateTime = 0x88;
inline constexpr uint8_t kUnspecifiedNull = 0xfe;

inline constexpr std::array<std::pair<uint8_t, std::string_view>, 12> kEnums = {{
    {0x13, "Barrier"},
    {0x16, "Cardinality"},
    {0x17, "Column"},
    {0x18, "Direction"},
    {0x19, "Operator"},
    {0x1a, "Order"},
    {0x1b, "Pick"},
    {0x1c, "Pop"},
    {0x1f, "Scope"},
    {0x20, "T"},
    {0x2e, "Merge"},
    {0x2f, "DT"},
}};

}  // namespace orrery::gremlin::binary
