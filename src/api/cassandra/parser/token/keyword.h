// The keywords of CQL (Cassandra 4.1, with VECTOR, ANN and MAXWRITETIME of 5.0), and where each may
// still be used as a name.
#pragma once

#include <cstdint>
#include <string_view>

namespace orrery::cassandra {

enum class KeywordClass : uint8_t {
  kReserved,     // never a name unless quoted
  kBasic,        // a name anywhere
  kNativeType,   // a name, but not of a user-defined type
  kNotFunction,  // a name, but neither of a function nor of a user-defined type
};

// Keyword, text, class. COLUMNFAMILY and COLUMNFAMILIES are other spellings of TABLE and TABLES.
#define ORRERY_CQL_KEYWORDS(X)                   \
  X(kAccess, "access", kBasic)                   \
  X(kAdd, "add", kReserved)                      \
  X(kAggregate, "aggregate", kBasic)             \
  X(kAggregates, "aggregates", kBasic)           \
  X(kAll, "all", kBasic)                         \
  X(kAllow, "allow", kReserved)                  \
  X(kAlter, "alter", kReserved)                  \
  X(kAnd, "and", kReserved)                      \
  X(kAnn, "ann", kBasic)                         \
  X(kApply, "apply", kReserved)                  \
  X(kAs, "as", kBasic)                           \
  X(kAsc, "asc", kReserved)                      \
  X(kAscii, "ascii", kNativeType)                \
  X(kAuthorize, "authorize", kReserved)          \
  X(kBatch, "batch", kReserved)                  \
  X(kBegin, "begin", kReserved)                  \
  X(kBigint, "bigint", kNativeType)              \
  X(kBlob, "blob", kNativeType)                  \
  X(kBoolean, "boolean", kNativeType)            \
  X(kBy, "by", kReserved)                        \
  X(kCalled, "called", kBasic)                   \
  X(kCast, "cast", kNotFunction)                 \
  X(kCluster, "cluster", kBasic)                 \
  X(kClustering, "clustering", kBasic)           \
  X(kCompact, "compact", kBasic)                 \
  X(kContains, "contains", kBasic)               \
  X(kCount, "count", kNotFunction)               \
  X(kCounter, "counter", kNativeType)            \
  X(kCreate, "create", kReserved)                \
  X(kCustom, "custom", kBasic)                   \
  X(kDatacenters, "datacenters", kBasic)         \
  X(kDate, "date", kNativeType)                  \
  X(kDecimal, "decimal", kNativeType)            \
  X(kDefault, "default", kBasic)                 \
  X(kDelete, "delete", kReserved)                \
  X(kDesc, "desc", kReserved)                    \
  X(kDescribe, "describe", kReserved)            \
  X(kDistinct, "distinct", kNotFunction)         \
  X(kDouble, "double", kNativeType)              \
  X(kDrop, "drop", kReserved)                    \
  X(kDuration, "duration", kNativeType)          \
  X(kEntries, "entries", kReserved)              \
  X(kExecute, "execute", kReserved)              \
  X(kExists, "exists", kBasic)                   \
  X(kFiltering, "filtering", kBasic)             \
  X(kFinalfunc, "finalfunc", kBasic)             \
  X(kFloat, "float", kNativeType)                \
  X(kFrom, "from", kReserved)                    \
  X(kFrozen, "frozen", kBasic)                   \
  X(kFull, "full", kReserved)                    \
  X(kFunction, "function", kBasic)               \
  X(kFunctions, "functions", kBasic)             \
  X(kGrant, "grant", kReserved)                  \
  X(kGroup, "group", kBasic)                     \
  X(kHashed, "hashed", kBasic)                   \
  X(kIf, "if", kReserved)                        \
  X(kIn, "in", kReserved)                        \
  X(kIndex, "index", kReserved)                  \
  X(kInet, "inet", kNativeType)                  \
  X(kInfinity, "infinity", kReserved)            \
  X(kInitcond, "initcond", kBasic)               \
  X(kInput, "input", kBasic)                     \
  X(kInsert, "insert", kReserved)                \
  X(kInt, "int", kNativeType)                    \
  X(kInternals, "internals", kBasic)             \
  X(kInto, "into", kReserved)                    \
  X(kIs, "is", kReserved)                        \
  X(kJson, "json", kNotFunction)                 \
  X(kKey, "key", kNotFunction)                   \
  X(kKeys, "keys", kBasic)                       \
  X(kKeyspace, "keyspace", kReserved)            \
  X(kKeyspaces, "keyspaces", kBasic)             \
  X(kLanguage, "language", kBasic)               \
  X(kLike, "like", kBasic)                       \
  X(kLimit, "limit", kReserved)                  \
  X(kList, "list", kBasic)                       \
  X(kLogin, "login", kBasic)                     \
  X(kMap, "map", kBasic)                         \
  X(kMaterialized, "materialized", kReserved)    \
  X(kMaxwritetime, "maxwritetime", kNotFunction) \
  X(kMbean, "mbean", kBasic)                     \
  X(kMbeans, "mbeans", kBasic)                   \
  X(kModify, "modify", kReserved)                \
  X(kNan, "nan", kReserved)                      \
  X(kNologin, "nologin", kBasic)                 \
  X(kNorecursive, "norecursive", kReserved)      \
  X(kNosuperuser, "nosuperuser", kBasic)         \
  X(kNot, "not", kReserved)                      \
  X(kNull, "null", kReserved)                    \
  X(kOf, "of", kReserved)                        \
  X(kOn, "on", kReserved)                        \
  X(kOnly, "only", kBasic)                       \
  X(kOptions, "options", kBasic)                 \
  X(kOr, "or", kReserved)                        \
  X(kOrder, "order", kReserved)                  \
  X(kPartition, "partition", kBasic)             \
  X(kPassword, "password", kBasic)               \
  X(kPer, "per", kBasic)                         \
  X(kPermission, "permission", kBasic)           \
  X(kPermissions, "permissions", kBasic)         \
  X(kPrimary, "primary", kReserved)              \
  X(kRename, "rename", kReserved)                \
  X(kReplace, "replace", kBasic)                 \
  X(kReturns, "returns", kBasic)                 \
  X(kRevoke, "revoke", kReserved)                \
  X(kRole, "role", kBasic)                       \
  X(kRoles, "roles", kBasic)                     \
  X(kSchema, "schema", kReserved)                \
  X(kSelect, "select", kReserved)                \
  X(kSet, "set", kReserved)                      \
  X(kSfunc, "sfunc", kBasic)                     \
  X(kSmallint, "smallint", kNativeType)          \
  X(kStatic, "static", kBasic)                   \
  X(kStorage, "storage", kBasic)                 \
  X(kStype, "stype", kBasic)                     \
  X(kSuperuser, "superuser", kBasic)             \
  X(kTable, "table", kReserved)                  \
  X(kTables, "tables", kBasic)                   \
  X(kText, "text", kNativeType)                  \
  X(kTime, "time", kNativeType)                  \
  X(kTimestamp, "timestamp", kNativeType)        \
  X(kTimeuuid, "timeuuid", kNativeType)          \
  X(kTinyint, "tinyint", kNativeType)            \
  X(kTo, "to", kReserved)                        \
  X(kToken, "token", kReserved)                  \
  X(kTrigger, "trigger", kBasic)                 \
  X(kTruncate, "truncate", kReserved)            \
  X(kTtl, "ttl", kNotFunction)                   \
  X(kTuple, "tuple", kBasic)                     \
  X(kType, "type", kBasic)                       \
  X(kTypes, "types", kBasic)                     \
  X(kUnlogged, "unlogged", kReserved)            \
  X(kUnset, "unset", kBasic)                     \
  X(kUpdate, "update", kReserved)                \
  X(kUse, "use", kReserved)                      \
  X(kUser, "user", kBasic)                       \
  X(kUsers, "users", kBasic)                     \
  X(kUsing, "using", kReserved)                  \
  X(kUuid, "uuid", kNativeType)                  \
  X(kValues, "values", kBasic)                   \
  X(kVarchar, "varchar", kNativeType)            \
  X(kVarint, "varint", kNativeType)              \
  X(kVector, "vector", kBasic)                   \
  X(kView, "view", kReserved)                    \
  X(kWhere, "where", kReserved)                  \
  X(kWith, "with", kReserved)                    \
  X(kWritetime, "writetime", kNotFunction)

enum class Keyword : uint8_t {
  kNone,
#define ORRERY_CQL_KEYWORD(name, text, keyword_class) name,
  ORRERY_CQL_KEYWORDS(ORRERY_CQL_KEYWORD)
#undef ORRERY_CQL_KEYWORD
};

// The keyword a word of any case spells, kNone when it spells none.
Keyword FindKeyword(std::string_view word);

// REQUIRES, of both: a keyword other than kNone.
std::string_view KeywordText(Keyword keyword);  // in lower case
KeywordClass ClassOf(Keyword keyword);

}  // namespace orrery::cassandra
