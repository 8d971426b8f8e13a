#include "gateway/remote/codec/expression_codec.h"

#include <string>
#include <utility>

#include "model/document/document_builder.h"

namespace orrery::gateway {
namespace {

using model::Expression;
using model::Operator;

Expression Nothing() { return Expression::Literal(model::Value()); }

void AppendPath(MessageWriter& out, const model::Path& path) {
  out.Number(path.steps().size());
  for (const std::string& step : path.steps()) out.Bytes(step);
}

model::Path ReadPath(MessageReader& in) {
  std::vector<std::string> steps(in.Count());
  for (std::string& step : steps) step = in.String();
  return model::Path(std::move(steps));
}

Expression Read(MessageReader& in, int depth);

Expression ReadObject(MessageReader& in, int depth) {
  std::vector<std::pair<std::string, Expression>> fields;
  const size_t count = in.Count();
  for (size_t i = 0; i < count && in.ok(); ++i) {
    std::string name = in.String();
    fields.emplace_back(std::move(name), Read(in, depth + 1));
  }
  auto object = Expression::Object(std::move(fields));
  if (object.has_value()) return *std::move(object);
  in.Refuse();
  return Nothing();
}

Expression ReadApplied(MessageReader& in, Operator op, int depth) {
  std::vector<Expression> operands;
  const size_t count = in.Count();
  for (size_t i = 0; i < count && in.ok(); ++i) operands.push_back(Read(in, depth + 1));
  auto applied = Expression::Apply(op, std::move(operands));
  if (applied.has_value()) return *std::move(applied);
  in.Refuse();
  return Nothing();
}

Expression Read(MessageReader& in, int depth) {
  if (depth > model::kExpressionDepthMax) in.Refuse();
  const Operator op = in.Choice(Operator::kObject);
  if (!in.ok()) return Nothing();
  if (op == Operator::kLiteral) return Expression::Literal(ReadValue(in));
  if (op == Operator::kPath) return Expression::Reference(ReadPath(in));
  if (op == Operator::kObject) return ReadObject(in, depth);
  return ReadApplied(in, op, depth);
}

}  // namespace

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
  if (expression.op() == Operator::kPath) return AppendPath(out, expression.path());
  out.Number(expression.operands().size());
  for (size_t i = 0; i < expression.operands().size(); ++i) {
    if (expression.op() == Operator::kObject) out.Bytes(expression.names()[i]);
    AppendExpression(out, expression.operands()[i]);
  }
}

Expression ReadExpression(MessageReader& in) { return Read(in, /*depth=*/1); }

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
