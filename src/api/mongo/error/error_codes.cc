#include "api/mongo/error/error_codes.h"

#include <array>
#include <string_view>

namespace orrery::mongo {
namespace {

struct NamedCode {
  ErrorCode code;
  std::string_view name;
};

constexpr std::array kNamedCodes = {
    NamedCode{ErrorCode::kInternalError, "InternalError"},
    NamedCode{ErrorCode::kBadValue, "BadValue"},
    NamedCode{ErrorCode::kHostUnreachable, "HostUnreachable"},
    NamedCode{ErrorCode::kHostNotFound, "HostNotFound"},
    NamedCode{ErrorCode::kUnknownError, "UnknownError"},
    NamedCode{ErrorCode::kGraphContainsCycle, "GraphContainsCycle"},
    NamedCode{ErrorCode::kFailedToParse, "FailedToParse"},
    NamedCode{ErrorCode::kUserNotFound, "UserNotFound"},
    NamedCode{ErrorCode::kUnsupportedFormat, "UnsupportedFormat"},
    NamedCode{ErrorCode::kUnauthorized, "Unauthorized"},
    NamedCode{ErrorCode::kTypeMismatch, "TypeMismatch"},
    NamedCode{ErrorCode::kOverflow, "Overflow"},
    NamedCode{ErrorCode::kInvalidLength, "InvalidLength"},
    NamedCode{ErrorCode::kProtocolError, "ProtocolError"},
    NamedCode{ErrorCode::kAuthenticationFailed, "AuthenticationFailed"},
    NamedCode{ErrorCode::kIllegalOperation, "IllegalOperation"},
    NamedCode{ErrorCode::kNamespaceNotFound, "NamespaceNotFound"},
    NamedCode{ErrorCode::kIndexNotFound, "IndexNotFound"},
    NamedCode{ErrorCode::kPathNotViable, "PathNotViable"},
    NamedCode{ErrorCode::kRoleNotFound, "RoleNotFound"},
    NamedCode{ErrorCode::kCannotBackfillArray, "CannotBackfillArray"},
    NamedCode{ErrorCode::kConflictingUpdateOperators, "ConflictingUpdateOperators"},
    NamedCode{ErrorCode::kCursorNotFound, "CursorNotFound"},
    NamedCode{ErrorCode::kNoMatchingDocument, "NoMatchingDocument"},
    NamedCode{ErrorCode::kNamespaceExists, "NamespaceExists"},
    NamedCode{ErrorCode::kMaxTimeMsExpired, "MaxTimeMSExpired"},
    NamedCode{ErrorCode::kDollarPrefixedFieldName, "DollarPrefixedFieldName"},
    NamedCode{ErrorCode::kInvalidIdField, "InvalidIdField"},
    NamedCode{ErrorCode::kNotSingleValueField, "NotSingleValueField"},
    NamedCode{ErrorCode::kInvalidDbRef, "InvalidDBRef"},
    NamedCode{ErrorCode::kEmptyFieldName, "EmptyFieldName"},
    NamedCode{ErrorCode::kDottedFieldName, "DottedFieldName"},
    NamedCode{ErrorCode::kCommandNotFound, "CommandNotFound"},
    NamedCode{ErrorCode::kShardKeyNotFound, "ShardKeyNotFound"},
    NamedCode{ErrorCode::kStaleShardVersion, "StaleShardVersion"},
    NamedCode{ErrorCode::kWriteConcernFailed, "WriteConcernFailed"},
    NamedCode{ErrorCode::kImmutableField, "ImmutableField"},
    NamedCode{ErrorCode::kCannotCreateIndex, "CannotCreateIndex"},
    NamedCode{ErrorCode::kIndexAlreadyExists, "IndexAlreadyExists"},
    NamedCode{ErrorCode::kInvalidOptions, "InvalidOptions"},
    NamedCode{ErrorCode::kInvalidNamespace, "InvalidNamespace"},
    NamedCode{ErrorCode::kUnknownReplWriteConcern, "UnknownReplWriteConcern"},
    NamedCode{ErrorCode::kIndexOptionsConflict, "IndexOptionsConflict"},
    NamedCode{ErrorCode::kIndexKeySpecsConflict, "IndexKeySpecsConflict"},
    NamedCode{ErrorCode::kNetworkTimeout, "NetworkTimeout"},
    NamedCode{ErrorCode::kShutdownInProgress, "ShutdownInProgress"},
    NamedCode{ErrorCode::kOperationFailed, "OperationFailed"},
    NamedCode{ErrorCode::kUnsatisfiableWriteConcern, "UnsatisfiableWriteConcern"},
    NamedCode{ErrorCode::kWriteConflict, "WriteConflict"},
    NamedCode{ErrorCode::kCommandNotSupported, "CommandNotSupported"},
    NamedCode{ErrorCode::kConflictingOperationInProgress, "ConflictingOperationInProgress"},
    NamedCode{ErrorCode::kNamespaceNotSharded, "NamespaceNotSharded"},
    NamedCode{ErrorCode::kDocumentValidationFailure, "DocumentValidationFailure"},
    NamedCode{ErrorCode::kCommandFailed, "CommandFailed"},
    NamedCode{ErrorCode::kExceededMemoryLimit, "ExceededMemoryLimit"},
    NamedCode{ErrorCode::kCappedPositionLost, "CappedPositionLost"},
    NamedCode{ErrorCode::kOptionNotSupportedOnView, "OptionNotSupportedOnView"},
    NamedCode{ErrorCode::kInvalidPipelineOperator, "InvalidPipelineOperator"},
    NamedCode{ErrorCode::kCommandOnShardedViewNotSupportedOnMongod,
              "CommandOnShardedViewNotSupportedOnMongod"},
    NamedCode{ErrorCode::kCannotIndexParallelArrays, "CannotIndexParallelArrays"},
    NamedCode{ErrorCode::kInvalidIndexSpecificationOption, "InvalidIndexSpecificationOption"},
    NamedCode{ErrorCode::kCommandNotSupportedOnView, "CommandNotSupportedOnView"},
    NamedCode{ErrorCode::kQueryPlanKilled, "QueryPlanKilled"},
    NamedCode{ErrorCode::kAmbiguousIndexKeyPattern, "AmbiguousIndexKeyPattern"},
    NamedCode{ErrorCode::kPrimarySteppedDown, "PrimarySteppedDown"},
    NamedCode{ErrorCode::kNotARetryableWriteCommand, "NotARetryableWriteCommand"},
    NamedCode{ErrorCode::kIncompleteTransactionHistory, "IncompleteTransactionHistory"},
    NamedCode{ErrorCode::kTransactionTooOld, "TransactionTooOld"},
    NamedCode{ErrorCode::kQueryFeatureNotAllowed, "QueryFeatureNotAllowed"},
    NamedCode{ErrorCode::kMaxSubPipelineDepthExceeded, "MaxSubPipelineDepthExceeded"},
    NamedCode{ErrorCode::kSnapshotTooOld, "SnapshotTooOld"},
    NamedCode{ErrorCode::kConversionFailure, "ConversionFailure"},
    NamedCode{ErrorCode::kTransactionAborted, "TransactionAborted"},
    NamedCode{ErrorCode::kSnapshotUnavailable, "SnapshotUnavailable"},
    NamedCode{ErrorCode::kNoSuchTransaction, "NoSuchTransaction"},
    NamedCode{ErrorCode::kTransactionCommitted, "TransactionCommitted"},
    NamedCode{ErrorCode::kTransactionTooLarge, "TransactionTooLarge"},
    NamedCode{ErrorCode::kInvalidResumeToken, "InvalidResumeToken"},
    NamedCode{ErrorCode::kExceededTimeLimit, "ExceededTimeLimit"},
    NamedCode{ErrorCode::kOperationNotSupportedInTransaction, "OperationNotSupportedInTransaction"},
    NamedCode{ErrorCode::kTooManyLogicalSessions, "TooManyLogicalSessions"},
    NamedCode{ErrorCode::kChangeStreamFatalError, "ChangeStreamFatalError"},
    NamedCode{ErrorCode::kChangeStreamHistoryLost, "ChangeStreamHistoryLost"},
    NamedCode{ErrorCode::kNoQueryExecutionPlans, "NoQueryExecutionPlans"},
    NamedCode{ErrorCode::kQueryExceededMemoryLimitNoDiskUseAllowed,
              "QueryExceededMemoryLimitNoDiskUseAllowed"},
    NamedCode{ErrorCode::kApiVersionError, "APIVersionError"},
    NamedCode{ErrorCode::kApiStrictError, "APIStrictError"},
    NamedCode{ErrorCode::kMechanismUnavailable, "MechanismUnavailable"},
    NamedCode{ErrorCode::kJsInterpreterFailure, "JSInterpreterFailure"},
    NamedCode{ErrorCode::kNotWritablePrimary, "NotWritablePrimary"},
    NamedCode{ErrorCode::kBsonObjectTooLarge, "BSONObjectTooLarge"},
    NamedCode{ErrorCode::kCannotBuildIndexKeys, "CannotBuildIndexKeys"},
    NamedCode{ErrorCode::kDuplicateKey, "DuplicateKey"},
    NamedCode{ErrorCode::kInterruptedAtShutdown, "InterruptedAtShutdown"},
    NamedCode{ErrorCode::kInterrupted, "Interrupted"},
    NamedCode{ErrorCode::kInterruptedDueToReplStateChange, "InterruptedDueToReplStateChange"},
    NamedCode{ErrorCode::kOutOfDiskSpace, "OutOfDiskSpace"},
    NamedCode{ErrorCode::kTooManyRequests, "TooManyRequests"},
};

}  // namespace

std::string ErrorCodeName(int32_t code) {
  for (const NamedCode& named : kNamedCodes) {
    if (static_cast<int32_t>(named.code) == code) return std::string(named.name);
  }
  return "Location" + std::to_string(code);
}

}  // namespace orrery::mongo
