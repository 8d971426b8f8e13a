// Numbers of RESULT messages: what kind it is, and the flags of a description of columns.
#pragma once

#include <cstdint>

namespace orrery::cassandra {

inline constexpr int32_t kResultVoid = 1;
inline constexpr int32_t kResultRows = 2;
inline constexpr int32_t kResultSetKeyspace = 3;
inline constexpr int32_t kResultPrepared = 4;
inline constexpr int32_t kResultSchemaChange = 5;

inline constexpr int32_t kMetadataOneTable = 0x1;
inline constexpr int32_t kMetadataMorePages = 0x2;
inline constexpr int32_t kMetadataNone = 0x4;
inline constexpr int32_t kMetadataChanged = 0x8;

}  // namespace orrery::cassandra
