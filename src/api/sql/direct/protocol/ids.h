// The numbers of RNTBD: types of resources, operations, and tokens of requests and answers. Those
// that this server looks at or sends; clients know many more, which are skipped.
#pragma once

#include <cstdint>

namespace orrery::sql::direct {

enum class WireResource : uint16_t {
  kConnection = 0x00,
  kDatabase = 0x01,
  kContainer = 0x02,
  kDocument = 0x03,
  kUser = 0x05,
  kPermission = 0x06,
  kStoredProcedure = 0x07,
  kConflict = 0x08,
  kTrigger = 0x09,
  kUserFunction = 0x0a,
  kPartitionKeyRange = 0x16,
};

enum class WireOperation : uint16_t {
  kConnection = 0x00,
  kCreate = 0x01,
  kPatch = 0x02,
  kRead = 0x03,
  kReadFeed = 0x04,
  kDelete = 0x05,
  kReplace = 0x06,
  kExecute = 0x08,
  kSqlQuery = 0x09,
  kQuery = 0x0f,
  kHead = 0x11,
  kHeadFeed = 0x12,
  kUpsert = 0x13,
  kBatch = 0x25,
};

enum class ContextToken : uint16_t {
  kProtocolVersion = 0x00,
  kClientVersion = 0x01,
  kAgent = 0x02,  // the client's in a request, the server's in an answer
  kServerVersion = 0x03,
  kIdleTimeoutSeconds = 0x04,
  kUnauthenticatedTimeoutSeconds = 0x05,
};

enum class RequestToken : uint16_t {
  kResourceId = 0x00,
  kAuthorization = 0x01,
  kPayloadPresent = 0x02,
  kDate = 0x03,
  kPageSize = 0x04,
  kSessionToken = 0x05,
  kContinuation = 0x06,
  kMatch = 0x08,
  kPreTriggers = 0x09,
  kPostTriggers = 0x0a,
  kConsistencyLevel = 0x10,
  kReplicaPath = 0x13,
  kTokenLifetime = 0x14,
  kDatabaseName = 0x15,
  kContainerName = 0x16,
  kDocumentName = 0x17,
  kUserName = 0x19,
  kPermissionName = 0x1a,
  kStoredProcedureName = 0x1b,
  kUserFunctionName = 0x1c,
  kTriggerName = 0x1d,
  kConflictName = 0x20,
  kClientVersion = 0x28,
  kPartitionKey = 0x2b,
  kPartitionKeyRangeId = 0x2c,
  kPartitionKeyRangeName = 0x36,
  kEnableLogging = 0x3e,
  kFeedKind = 0x3f,  // A-IM
  kPopulateQuotaInfo = 0x40,
  kPopulateQueryMetrics = 0x42,
  kPopulatePartitionStatistics = 0x44,
  kIfModifiedSince = 0x47,
  kRetryAttempts = 0x4a,
  kTransportRequestId = 0x4d,
  kStartEpk = 0x62,
  kEndEpk = 0x63,
  kBatchAtomic = 0x73,
  kBatchContinueOnError = 0x74,
  kReturnPreference = 0x82,
  kIntendedContainerRid = 0x9d,
  kPopulateIndexMetrics = 0xa9,
  kFeedFormatVersion = 0xb2,
};

enum class AnswerToken : uint16_t {
  kPayloadPresent = 0x00,
  kContinuation = 0x03,
  kEtag = 0x04,
  kRetryAfterMs = 0x0c,
  kResourceQuota = 0x0e,
  kResourceUsage = 0x0f,
  kSchemaVersion = 0x10,
  kLsn = 0x13,
  kItemCount = 0x14,
  kRequestCharge = 0x15,
  kOwnerFullName = 0x17,
  kOwnerId = 0x18,
  kQuorumAckedLsn = 0x1a,
  kSubstatus = 0x1c,
  kIndexProgress = 0x1d,
  kWriteQuorum = 0x1e,
  kReplicaSetSize = 0x1f,
  kPartitionKeyRangeId = 0x21,
  kScriptLog = 0x25,
  kQueryMetrics = 0x28,
  kGlobalCommittedLsn = 0x29,
  kReadRegions = 0x30,
  kItemLsn = 0x32,
  kTransportRequestId = 0x35,
  kLocalLsn = 0x3a,
  kQuorumAckedLocalLsn = 0x3b,
  kItemLocalLsn = 0x3c,
  kSessionToken = 0x3e,
  kIndexUse = 0x44,
  kDurationMs = 0x51,
};

}  // namespace orrery::sql::direct
