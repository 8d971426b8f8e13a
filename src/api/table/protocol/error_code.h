// ErrorCode names the errors of the Table service, each with the status and the sentence that
// clients of Azure know. Pure.
#pragma once

#include <cstdint>
#include <string_view>

namespace orrery::table {

enum class ErrorCode : uint8_t {
  kAtomFormatNotSupported,
  kAuthenticationFailed,
  kAuthorizationFailure,
  kAuthorizationPermissionMismatch,
  kAuthorizationProtocolMismatch,
  kAuthorizationResourceTypeMismatch,
  kAuthorizationServiceMismatch,
  kAuthorizationSourceIPMismatch,
  kCommandsInBatchActOnDifferentPartitions,
  kCorsPreflightFailure,
  kDuplicatePropertiesSpecified,
  kEntityAlreadyExists,
  kEntityTooLarge,
  kInternalError,
  kInvalidDuplicateRow,
  kInvalidHeaderValue,
  kInvalidInput,
  kInvalidQueryParameterValue,
  kInvalidResourceName,
  kInvalidUri,
  kInvalidXmlDocument,
  kKeyValueTooLarge,
  kMediaTypeNotSupported,
  kMissingRequiredHeader,
  kNoAuthenticationInformation,
  kNotImplemented,
  kOperationTimedOut,
  kOutOfRangeInput,
  kOutOfRangeQueryParameterValue,
  kPartitionFull,
  kPropertiesNeedValue,
  kPropertyNameInvalid,
  kPropertyNameTooLong,
  kPropertyValueTooLarge,
  kRequestBodyTooLarge,
  kRequestUrlFailedToParse,
  kResourceNotFound,
  kServerBusy,
  kTableAlreadyExists,
  kTableNotFound,
  kTooManyProperties,
  kTooManyRequests,
  kUnsupportedHttpVerb,
  kUpdateConditionNotSatisfied,
  kWriteOperationNotSupportedOnSecondary,
  kXMethodIncorrectValue,
  kXMethodNotUsingPost,
};

struct ErrorFacts {
  ErrorCode code;
  int status;
  std::string_view name;     // as clients compare it
  std::string_view message;  // of errors that bring none of their own
};

const ErrorFacts& FactsOf(ErrorCode code);

}  // namespace orrery::table
