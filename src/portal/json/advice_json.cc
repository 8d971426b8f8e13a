#include "portal/json/advice_json.h"

#include <fmt/format.h>

#include <utility>

#include "model/document/document_builder.h"
#include "model/document/json.h"
#include "portal/json/field_reader.h"
#include "portal/json/json_writer.h"
#include "portal/json/map_json.h"

namespace orrery::portal {
namespace {

using gateway::CandidateAdvice;
using gateway::CandidateKey;

constexpr int64_t kBucketsMax = 10'000;
constexpr double kFactorMax = 1'000'000;
constexpr size_t kStatementsMax = 1'000;

Result<std::vector<std::string>> TextsFrom(const model::Value& value, std::string_view what) {
  std::vector<std::string> texts;
  if (value.kind() != model::Kind::kArray)
    return Fail(Code::kInvalidArgument, fmt::format("{} must be an array of paths", what));
  for (const model::Value& each : value.AsValues()) {
    if (each.kind() != model::Kind::kString)
      return Fail(Code::kInvalidArgument, fmt::format("{} must be an array of paths", what));
    texts.push_back(each.AsString());
  }
  return texts;
}

// ["/a"], ["/a", "/b"] (levels), {"join": ["/a", "/b"]}, {"bucket": "/a", "of": 16}
Result<CandidateKey> CandidateFrom(const model::Value& value) {
  CandidateKey key;
  if (value.kind() == model::Kind::kString) {
    key.paths = {value.AsString()};
    return key;
  }
  if (value.kind() == model::Kind::kArray) {
    ORRERY_ASSIGN(key.paths, TextsFrom(value, "a candidate"));
    if (key.paths.size() > 1) key.kind = CandidateKey::Kind::kHierarchical;
    if (key.paths.empty() || key.paths.size() > 3)
      return Fail(Code::kInvalidArgument, "a candidate has one to three paths");
    return key;
  }
  if (value.kind() != model::Kind::kObject)
    return Fail(Code::kInvalidArgument, "a candidate is an array of paths, or an object");
  const model::Document document = model::ToDocument(value);
  FieldReader fields(document);
  const auto join = fields.Any("join");
  const auto bucket = fields.String("bucket");
  const auto of = fields.Integer("of");
  ORRERY_TRY(fields.Finish());
  key.kind = CandidateKey::Kind::kSynthetic;
  if (join.has_value()) {
    ORRERY_ASSIGN(key.paths, TextsFrom(*join, "join"));
    if (key.paths.size() < 2) return Fail(Code::kInvalidArgument, "join has two paths at least");
    return key;
  }
  if (!bucket.has_value() || !of.has_value() || *of < 2 || *of > kBucketsMax) {
    return Fail(Code::kInvalidArgument,
                fmt::format("a candidate has 'join', or 'bucket' and 'of' (2 to {})", kBucketsMax));
  }
  key.paths = {*bucket};
  key.buckets = static_cast<size_t>(*of);
  return key;
}

// {"paths": ["/a"], "charge": 12.5}
Result<gateway::AdvisedStatements> StatementFrom(const model::Value& value) {
  if (value.kind() != model::Kind::kObject)
    return Fail(Code::kInvalidArgument, "a statement is {\"paths\": [..], \"charge\": ..}");
  const model::Document document = model::ToDocument(value);
  FieldReader fields(document);
  const auto paths = fields.Any("paths");
  const auto charge = fields.Any("charge");
  ORRERY_TRY(fields.Finish());
  gateway::AdvisedStatements statement;
  if (paths.has_value()) {
    ORRERY_ASSIGN(statement.equal_paths, TextsFrom(*paths, "paths"));
  }
  statement.charge = 1;
  if (charge.has_value() && charge->kind() == model::Kind::kDouble)
    statement.charge = charge->AsDouble();
  if (charge.has_value() &&
      (charge->kind() == model::Kind::kInt32 || charge->kind() == model::Kind::kInt64))
    statement.charge = static_cast<double>(charge->AsInteger());
  if (!(statement.charge >= 0))
    return Fail(Code::kInvalidArgument, "the charge of a statement must not be negative");
  return statement;
}

Result<double> FactorFrom(FieldReader& fields, std::string_view name) {
  const auto value = fields.Any(name);
  if (!value.has_value()) return 10;
  double factor = -1;
  if (value->kind() == model::Kind::kDouble) factor = value->AsDouble();
  if (value->kind() == model::Kind::kInt32 || value->kind() == model::Kind::kInt64)
    factor = static_cast<double>(value->AsInteger());
  if (factor > 0 && factor <= kFactorMax) return factor;
  return Fail(Code::kInvalidArgument, fmt::format("{} must be a number above 0", name));
}

std::string_view KindText(CandidateKey::Kind kind) {
  switch (kind) {
    case CandidateKey::Kind::kSingle:
      return "single";
    case CandidateKey::Kind::kSynthetic:
      return "synthetic";
    case CandidateKey::Kind::kHierarchical:
      break;
  }
  return "hierarchical";
}

void WriteKey(JsonWriter& json, std::string_view name, const std::string& text) {
  json.Key(name);
  if (const auto value = model::ValueFromJson(text); value.has_value()) {
    json.Value(*value);
  } else {
    json.String(text);
  }
}

}  // namespace

Result<AskedAdvice> AskedAdviceFrom(model::DocumentView body) {
  FieldReader fields(body);
  AskedAdvice asked;
  asked.sample_items = fields.Integer("sampleItems").value_or(asked.sample_items);
  asked.seed = fields.Integer("seed").value_or(asked.seed);
  ORRERY_ASSIGN(asked.question.data_factor, FactorFrom(fields, "dataFactor"));
  ORRERY_ASSIGN(asked.question.load_factor, FactorFrom(fields, "loadFactor"));
  const auto candidates = fields.Any("candidates");
  const auto statements = fields.Any("statements");
  ORRERY_TRY(fields.Finish());
  const auto sample_max = static_cast<int64_t>(gateway::kAdvisedSampleMax);
  if (asked.sample_items < 1 || asked.sample_items > sample_max) {
    return Fail(Code::kInvalidArgument,
                fmt::format("sampleItems must be from 1 to {}", sample_max));
  }
  if (candidates.has_value()) {
    if (candidates->kind() != model::Kind::kArray)
      return Fail(Code::kInvalidArgument, "candidates must be an array");
    for (const model::Value& each : candidates->AsValues()) {
      ORRERY_ASSIGN(CandidateKey key, CandidateFrom(each));
      asked.question.candidates.push_back(std::move(key));
    }
  }
  if (statements.has_value()) {
    if (statements->kind() != model::Kind::kArray || statements->AsValues().size() > kStatementsMax)
      return Fail(Code::kInvalidArgument,
                  fmt::format("statements must be an array of at most {}", kStatementsMax));
    for (const model::Value& each : statements->AsValues()) {
      ORRERY_ASSIGN(auto statement, StatementFrom(each));
      asked.question.statements.push_back(std::move(statement));
    }
  }
  return asked;
}

std::string AdviceJson(const AskedAdvice& asked, const std::vector<CandidateAdvice>& advice) {
  JsonWriter json;
  json.BeginObject()
      .Field("sampled", asked.question.sample.size())
      .Field("items", asked.question.items_total)
      .Field("bytes", asked.question.bytes_total)
      .Field("seed", asked.seed)
      .Key("candidates")
      .BeginArray();
  for (const CandidateAdvice& each : advice) {
    json.BeginObject()
        .Field("key", each.key.Name())
        .Field("kind", KindText(each.key.kind))
        .Key("paths")
        .BeginArray();
    for (const std::string& path : each.key.paths) json.String(path);
    json.EndArray().Field("today", each.is_today);
    if (each.key.buckets > 0) json.Field("buckets", each.key.buckets);
    json.Key("filled");
    WriteFigure(json, each.filled);
    json.Field("distinct", each.distinct).Key("largestShare");
    WriteFigure(json, each.largest_share);
    WriteKey(json, "largest", each.largest);
    json.Key("hottestShare");
    WriteFigure(json, each.hottest_share);
    WriteKey(json, "hottest", each.hottest);
    json.Field("partitionsNow", each.partitions_now).Field("partitionsThen", each.partitions_then);
    if (each.one_partition.has_value()) {
      json.Key("onePartition");
      WriteFigure(json, *each.one_partition);
    }
    json.Field("verdict", each.verdict).Field("reason", each.reason).EndObject();
  }
  json.EndArray().EndObject();
  return std::move(json).Finish();
}

}  // namespace orrery::portal
