#include "api/cassandra/protocol/response/error_writer.h"

#include <array>
#include <optional>
#include <string_view>

#include "api/cassandra/protocol/body/body_writer.h"

namespace orrery::cassandra {
namespace {

template <typename Details>
Details DetailsOf(const CqlError& error) {
  const auto* const details = std::get_if<Details>(&error.details);
  return details == nullptr ? Details{} : *details;
}

void AppendProgress(std::string& out, const ReplicaProgress& progress) {
  AppendConsistency(out, progress.consistency);
  AppendInt(out, progress.received);
  AppendInt(out, progress.block_for);
}

void AppendFailures(std::string& out, const std::vector<ReplicaFailure>& failures,
                    ProtocolVersion version) {
  AppendInt(out, static_cast<int32_t>(failures.size()));
  if (version < ProtocolVersion::kV5) return;
  for (const ReplicaFailure& failure : failures) {
    AppendAddress(out, failure.replica);
    AppendShort(out, failure.reason);
  }
}

void AppendFields(std::string& out, const WriteTimeoutDetails& details, ProtocolVersion version) {
  AppendProgress(out, details.progress);
  AppendString(out, WriteTypeName(details.write_type));
  if (version >= ProtocolVersion::kV5 && details.write_type == WriteType::kCas) {
    AppendShort(out, details.contentions);
  }
}

void AppendFields(std::string& out, const CqlError& error, ProtocolVersion version) {
  switch (error.code) {
    case ErrorCode::kUnavailable: {
      const auto details = DetailsOf<UnavailableDetails>(error);
      AppendConsistency(out, details.consistency);
      AppendInt(out, details.required);
      AppendInt(out, details.alive);
      break;
    }
    case ErrorCode::kWriteTimeout:
      AppendFields(out, DetailsOf<WriteTimeoutDetails>(error), version);
      break;
    case ErrorCode::kReadTimeout: {
      const auto details = DetailsOf<ReadTimeoutDetails>(error);
      AppendProgress(out, details.progress);
      AppendByte(out, details.data_present ? 1 : 0);
      break;
    }
    case ErrorCode::kReadFailure: {
      const auto details = DetailsOf<ReadFailureDetails>(error);
      AppendProgress(out, details.progress);
      AppendFailures(out, details.failures, version);
      AppendByte(out, details.data_present ? 1 : 0);
      break;
    }
    case ErrorCode::kWriteFailure: {
      const auto details = DetailsOf<WriteFailureDetails>(error);
      AppendProgress(out, details.progress);
      AppendFailures(out, details.failures, version);
      AppendString(out, WriteTypeName(details.write_type));
      break;
    }
    case ErrorCode::kFunctionFailure: {
      const auto details = DetailsOf<FunctionFailureDetails>(error);
      AppendString(out, details.keyspace);
      AppendString(out, details.function);
      AppendStringList(out, details.argument_types);
      break;
    }
    case ErrorCode::kCasWriteUnknown:
      AppendProgress(out, DetailsOf<CasWriteUnknownDetails>(error).progress);
      break;
    case ErrorCode::kAlreadyExists: {
      const auto details = DetailsOf<AlreadyExistsDetails>(error);
      AppendString(out, details.keyspace);
      AppendString(out, details.table);
      break;
    }
    case ErrorCode::kUnprepared:
      AppendShortBytes(out, DetailsOf<UnpreparedDetails>(error).id);
      break;
    default:
      break;
  }
}

// Returns the error for a version that does not know the code; nullopt when it knows it.
std::optional<CqlError> Downgraded(const CqlError& error, ProtocolVersion version) {
  const bool before_v4 = version < ProtocolVersion::kV4;
  switch (error.code) {
    case ErrorCode::kReadFailure: {
      if (!before_v4) return std::nullopt;
      const auto details = DetailsOf<ReadFailureDetails>(error);
      return CqlError{ErrorCode::kReadTimeout, error.message,
                      ReadTimeoutDetails{details.progress, details.data_present}};
    }
    case ErrorCode::kWriteFailure: {
      if (!before_v4) return std::nullopt;
      const auto details = DetailsOf<WriteFailureDetails>(error);
      return CqlError{ErrorCode::kWriteTimeout, error.message,
                      WriteTimeoutDetails{details.progress, details.write_type}};
    }
    case ErrorCode::kFunctionFailure:
    case ErrorCode::kCdcWriteFailure:
      if (!before_v4) return std::nullopt;
      return CqlError{ErrorCode::kInvalid, error.message, {}, 0};
    case ErrorCode::kCasWriteUnknown:
      if (version >= ProtocolVersion::kV5) return std::nullopt;
      return CqlError{
          ErrorCode::kWriteTimeout, error.message,
          WriteTimeoutDetails{DetailsOf<CasWriteUnknownDetails>(error).progress, WriteType::kCas}};
    default:
      return std::nullopt;
  }
}

}  // namespace

std::string_view WriteTypeName(WriteType type) {
  static constexpr std::array<std::string_view, 8> kNames = {
      "SIMPLE", "BATCH", "UNLOGGED_BATCH", "COUNTER", "BATCH_LOG", "CAS", "VIEW", "CDC"};
  return kNames[static_cast<uint8_t>(type)];
}

void WriteError(std::string& out, const ResponseHead& head, const CqlError& error) {
  const std::optional<CqlError> downgraded = Downgraded(error, head.version);
  const CqlError& sent = downgraded.has_value() ? *downgraded : error;
  ResponseEnvelope envelope(out, Opcode::kError, head);
  AppendInt(out, static_cast<int32_t>(sent.code));
  AppendString(out, sent.message);
  AppendFields(out, sent, head.version);
  envelope.Finish();
}

}  // namespace orrery::cassandra
