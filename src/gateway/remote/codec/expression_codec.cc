#include "gateway/remote/codec/expression_codec.h"

#include <string>
#include <utility>

#include "model/document/document_builder.h"

namespace orrery::gateway {
namespace {

using model::Expression;
using model::Operator;

Expression Nothing() { return Expression::Literal(model::Value()); }

// Reads one expression, of a bounded depth and size.
class ExpressionReader {
 public:
  explicit ExpressionReader(MessageReader& in) : in_(in) {}
  Expression Read(int depth = 1);

 private:
  Expression ReadObject(int depth);
  Expression ReadApplied(Operator op, int depth);

  MessageReader& in_;
  size_t nodes_ = 0;
};

Expression ExpressionReader::ReadObject(int depth) {
  std::vector<std::pair<std::string, Expression>> fields;
  const size_t count = in_.Count();
  for (size_t i = 0; i < count && in_.ok(); ++i) {
    std::string name = in_.String();
    fields.emplace_back(std::move(name), Read(depth + 1));
  }
  auto object = Expression::Object(std::move(fields));
  if (object.has_value()) return *std::move(object);
  in_.Refuse();
  return Nothing();
}

Expression ExpressionReader::ReadApplied(Operator op, int depth) {
  std::vector<Expression> operands;
  const size_t count = in_.Count();
  for (size_t i = 0; i < count && in_.ok(); ++i) operands.push_back(Read(depth + 1));
  auto applied = Expression::Apply(op, std::move(operands));
  if (applied.has_value()) return *std::move(applied);
  in_.Refuse();
  return Nothing();
}

Expression ExpressionReader::Read(int depth) {
  if (depth > model::kExpressionDepthMax || ++nodes_ > model::kExpressionNodesMax) in_.Refuse();
  const Operator op = in_.Choice(model::kOperatorLast);
  if (!in_.ok()) return Nothing();
  if (op == Operator::kLiteral) return Expression::Literal(ReadValue(in_));
  if (op == Operator::kPath) return Expression::Reference(ReadPath(in_));
  if (op == Operator::kField) return Expression::Field(ReadPath(in_));
  if (op == Operator::kObject) return ReadObject(depth);
  return ReadApplied(op, depth);
}

}  // namespace

void AppendPath(MessageWriter& out, const model::Path& path) {
  out.Number(path.steps().size());
  for (const std::string& step : path.steps()) out.Bytes(step);
}

model::Path ReadPath(MessageReader& in) {
  std::vector<std::string> steps(in.Count());
  for (std::string& step : steps) step = in.String();
  return model::Path(std::move(steps));
}

void AppendValue(MessageWriter& out, const model::Value& value) {
  model::DocumentBuilder builder;
  builder.Append("", value);
  out.Bytes(std::move(builder).Finish().bson());
}

model::Document ReadDocument(MessageReader& in) {
  auto document = model::Document::FromBson(in.String());
  if (document.has_value()) return *std::move(document);
  in.Refuse();
  return {};
}

model::Value ReadValue(MessageReader& in) { return ReadDocument(in).view().Get(""); }

void AppendExpression(MessageWriter& out, const Expression& expression) {
  out.Number(static_cast<uint64_t>(expression.op()));
  if (expression.op() == Operator::kLiteral) return AppendValue(out, expression.literal());
  if (expression.op() == Operator::kPath || expression.op() == Operator::kField)
    return AppendPath(out, expression.path());
  out.Number(expression.operands().size());
  for (size_t i = 0; i < expression.operands().size(); ++i) {
    if (expression.op() == Operator::kObject) out.Bytes(expression.names()[i]);
    AppendExpression(out, expression.operands()[i]);
  }
}

Expression ReadExpression(MessageReader& in) { return ExpressionReader(in).Read(); }

void AppendGrouping(MessageWriter& out, const model::Grouping& grouping) {
  out.Number(grouping.keys.size());
  for (const Expression& key : grouping.keys) AppendExpression(out, key);
  out.Number(grouping.aggregates.size());
  for (const model::Aggregate& aggregate : grouping.aggregates) {
    out.Number(static_cast<uint64_t>(aggregate.op));
    AppendExpression(out, aggregate.argument);
  }
}

model::Grouping ReadGrouping(MessageReader& in) {
  model::Grouping grouping;
  const auto has_room = [&] {
    if (grouping.keys.size() + grouping.aggregates.size() >= model::kGroupingPartsMax) in.Refuse();
    return in.ok();
  };
  const size_t keys = in.Count();
  for (size_t i = 0; i < keys && has_room(); ++i) grouping.keys.push_back(ReadExpression(in));
  const size_t aggregates = in.Count();
  for (size_t i = 0; i < aggregates && has_room(); ++i) {
    const auto op = in.Choice(model::kAggregateOperatorLast);
    grouping.aggregates.push_back({.op = op, .argument = ReadExpression(in)});
  }
  return grouping;
}

void AppendPatch(MessageWriter& out, const std::vector<model::PatchOperation>& patch) {
  out.Number(patch.size());
  for (const model::PatchOperation& operation : patch) {
    out.Number(static_cast<uint64_t>(operation.type));
    AppendPath(out, operation.path);
    AppendValue(out, operation.value);
    AppendPath(out, operation.from);
  }
}

std::vector<model::PatchOperation> ReadPatch(MessageReader& in) {
  std::vector<model::PatchOperation> patch;
  const size_t count = in.Count();
  for (size_t i = 0; i < count && in.ok(); ++i) {
    model::PatchOperation& operation = patch.emplace_back();
    operation.type = in.Choice(model::PatchType::kMove);
    operation.path = ReadPath(in);
    operation.value = ReadValue(in);
    operation.from = ReadPath(in);
  }
  return patch;
}

}  // namespace orrery::gateway
