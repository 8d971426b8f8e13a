#include "api/mongo/language/projection/projection_parser.h"

#include <fmt/core.h>

#include "api/mongo/language/expression/expression_parser.h"
#include "api/mongo/language/match/filter_parser.h"
#include "api/mongo/language/value/field_path.h"
#include "api/mongo/language/value/number.h"
#include "api/mongo/language/value/print.h"

namespace orrery::mongo {

using model::Field;
using model::Fields;
using model::Kind;
using model::Value;

Outcome CheckProjectionPath(const std::string& path) {
  if (path.empty()) return Refuse(40352, "FieldPath cannot be constructed with empty string");
  if (path.back() == '.') return Refuse(40353, "FieldPath must not end with a '.'.");
  for (const std::string& step : SplitPath(path)) {
    if (step.empty()) return Refuse(15998, "FieldPath field names may not be empty strings.");
    if (step.starts_with('$')) {
      return Refuse(16410,
                    "FieldPath field names may not start with '$'. Consider using $getField or "
                    "$setField.");
    }
  }
  return {};
}

namespace {

enum class ProjectionMode : uint8_t { kUnknown, kInclusion, kExclusion };

class ProjectionParser {
 public:
  ProjectionParser(ProjectionSyntax syntax, const QueryContext& context)
      : syntax_(syntax), context_(context) {}

  Answer<ParsedProjection> Parse(const Fields& fields) {
    for (const Field& field : fields) MONGO_TRY(Add(field.name, field.value, true));
    if (mode_ == ProjectionMode::kUnknown) {
      // Only _id, or only $slice: what is said of _id decides.
      mode_ = id_ == ProjectionMode::kInclusion || has_computed_ || !result_.elem_matches.empty()
                  ? ProjectionMode::kInclusion
                  : ProjectionMode::kExclusion;
    }
    result_.is_inclusion = mode_ == ProjectionMode::kInclusion;
    // $slice and $elemMatch name fields that are kept.
    if (result_.is_inclusion) {
      for (const ProjectionSlice& slice : result_.slices) {
        MONGO_TRY(AddLeaf(result_.tree, slice.path, nullptr));
      }
      for (const ProjectionElemMatch& match : result_.elem_matches) {
        MONGO_TRY(AddLeaf(result_.tree, match.path, nullptr));
      }
      if (id_ != ProjectionMode::kExclusion && result_.tree.Find("_id") == nullptr) {
        MONGO_TRY(AddLeaf(result_.tree, "_id", nullptr));
      }
    } else if (id_ == ProjectionMode::kExclusion) {
      MONGO_TRY(AddLeaf(result_.tree, "_id", nullptr));
    }
    return std::move(result_);
  }

 private:
  Outcome Add(const std::string& path, const Value& value, bool is_top) {
    if (syntax_ == ProjectionSyntax::kFind &&
        (path.ends_with(".$") || path.find(".$.") != std::string::npos))
      return AddPositional(path);
    MONGO_TRY(CheckProjectionPath(path));
    if (value.is_number() || value.kind() == Kind::kBool) return AddFlag(path, IsTrue(value));
    if (value.kind() == Kind::kObject) {
      const Fields& fields = value.AsFields();
      if (fields.empty()) {
        return Refuse(51270,
                      "An empty sub-projection is not a valid value. Found empty object at path");
      }
      if (!fields.front().name.starts_with('$')) {
        for (const Field& field : fields) {
          MONGO_TRY(Add(path + "." + field.name, field.value, false));
        }
        return {};
      }
      if (syntax_ == ProjectionSyntax::kFind) {
        if (fields.front().name == "$slice" && !IsSliceExpression(fields.front().value)) {
          return AddSlice(path, fields.front().value);
        }
        if (fields.front().name == "$elemMatch") {
          return AddElemMatch(path, fields.front().value, is_top);
        }
        // Says nothing of what else is kept.
        if (fields.front().name == "$meta" && fields.size() == 1) {
          MONGO_TRY(Claim(path));
          MONGO_ASSIGN(ExpressionPtr meta, ParseExpression(value, context_));
          return AddLeaf(result_.metas, path, std::move(meta));
        }
      }
      if (fields.size() > 1) {
        return Refuse(16410,
                      "FieldPath field names may not start with '$'. Consider using $getField or "
                      "$setField.");
      }
      if (fields.size() == 1 && fields.front().name == "$elemMatch") {
        return Refuse(ErrorCode::kInvalidPipelineOperator, "Cannot use $elemMatch in this context");
      }
      if (fields.size() == 1 && !IsOperatorName(fields.front().name)) {
        return Refuse(31325, fmt::format("Unknown expression {}", fields.front().name));
      }
    }
    MONGO_TRY(Claim(path));
    MONGO_TRY(SetMode(ProjectionMode::kInclusion, path));
    has_computed_ = true;
    MONGO_ASSIGN(ExpressionPtr expression, ParseExpression(value, context_));
    return AddLeaf(result_.tree, path, std::move(expression));
  }

  // Notes the path, which must not collide with another one. "_id" is noted by its flag.
  Outcome Claim(const std::string& path) { return AddLeaf(claimed_, path, nullptr); }

  // find's {$slice: [1, 2]} means numbers; with three, or with anything else first, it is the
  // operator of expressions.
  static bool IsSliceExpression(const Value& value) {
    return value.kind() == Kind::kArray &&
           (value.AsValues().size() > 2 ||
            (!value.AsValues().empty() && !value.AsValues().front().is_number()));
  }

  Outcome SetMode(ProjectionMode mode, const std::string& path) {
    if (mode_ != ProjectionMode::kUnknown && mode_ != mode) {
      return mode == ProjectionMode::kExclusion
                 ? Refuse(31254, fmt::format("Cannot do exclusion on field {} in inclusion "
                                             "projection",
                                             path))
                 : Refuse(31253, fmt::format("Cannot do inclusion on field {} in exclusion "
                                             "projection",
                                             path));
    }
    mode_ = mode;
    return {};
  }

  Outcome AddFlag(const std::string& path, bool is_kept) {
    const ProjectionMode mode = is_kept ? ProjectionMode::kInclusion : ProjectionMode::kExclusion;
    if (path == "_id") {
      if (id_ != ProjectionMode::kUnknown) return Refuse(31250, "Path collision at _id");
      id_ = mode;
      return {};
    }
    MONGO_TRY(Claim(path));
    MONGO_TRY(SetMode(mode, path));
    return AddLeaf(result_.tree, path, nullptr);
  }

  Outcome AddPositional(const std::string& path) {
    const std::string array = path.substr(0, path.size() - 2);
    if (array.find("$") != std::string::npos) {
      return Refuse(31394,
                    "As of 4.4, it's illegal to specify positional operator in the middle of "
                    "a path.Positional projection may only be used at the end, for example: "
                    "a.b.$. If the query previously used a form like a.b.$.d, remove the "
                    "parts following the '$' and the results will be equivalent.");
    }
    if (result_.positional.has_value()) {
      return Refuse(31276, "Cannot specify more than one positional projection per query.");
    }
    MONGO_TRY(Claim(array));
    MONGO_TRY(SetMode(ProjectionMode::kInclusion, path));
    result_.positional = array;
    return AddLeaf(result_.tree, array, nullptr);
  }

  Outcome AddSlice(const std::string& path, const Value& value) {
    ProjectionSlice slice{.path = path, .skip = {}};
    if (value.is_number()) {
      slice.limit = TruncatedInt64(value).value_or(0);
    } else if (value.kind() == Kind::kArray && value.AsValues().size() == 2) {
      if (!value.AsValues()[1].is_number()) {
        return Refuse(28724, "First argument to $slice must be an array, but is of type: int");
      }
      slice.skip = TruncatedInt64(value.AsValues()[0]).value_or(0);
      slice.limit = TruncatedInt64(value.AsValues()[1]).value_or(0);
      if (slice.limit <= 0) {
        return Refuse(28724, "First argument to $slice must be an array, but is of type: int");
      }
    } else {
      return Refuse(28667,
                    "Invalid $slice syntax. The given syntax { $slice: " + PrintBson(value) +
                        " } did not match the find() syntax because :: Location31273: $slice "
                        "only supports numbers and [x, y] arrays");
    }
    MONGO_TRY(Claim(path));
    result_.slices.push_back(std::move(slice));
    return {};
  }

  Outcome AddElemMatch(const std::string& path, const Value& value, bool is_top) {
    if (value.kind() != Kind::kObject) {
      return Refuse(31274, fmt::format("elemMatch: Invalid argument, object required, but got {}",
                                       PrintBson(value)));
    }
    if (!is_top || path.find('.') != std::string::npos) {
      return Refuse(31275, "Cannot use $elemMatch projection on a nested field.");
    }
    MONGO_TRY(Claim(path));
    FilterParser parser(context_, {.near = false, .text = false, .where = false});
    MONGO_ASSIGN(MatchNodePtr node,
                 parser.ParseOperators(FieldPath::Of(path), {{"$elemMatch", value}}));
    std::shared_ptr<const MatchNode> shared = std::move(node);
    result_.elem_matches.push_back(
        {path, std::dynamic_pointer_cast<const ElemMatchNode>(std::move(shared))});
    return {};
  }

  ProjectionSyntax syntax_;
  const QueryContext& context_;
  ParsedProjection result_;
  FieldTree claimed_;
  ProjectionMode mode_ = ProjectionMode::kUnknown;
  ProjectionMode id_ = ProjectionMode::kUnknown;
  bool has_computed_ = false;
};

Outcome AddComputed(FieldTree& tree, const std::string& path, const Value& value,
                    const QueryContext& context) {
  MONGO_TRY(CheckProjectionPath(path));
  if (value.kind() == Kind::kObject && !value.AsFields().empty() &&
      !value.AsFields().front().name.starts_with('$')) {
    for (const Field& field : value.AsFields()) {
      MONGO_TRY(AddComputed(tree, path + "." + field.name, field.value, context));
    }
    return {};
  }
  MONGO_ASSIGN(ExpressionPtr expression, ParseExpression(value, context));
  return AddLeaf(tree, path, std::move(expression));
}

}  // namespace

Answer<ParsedProjection> ParseProjection(const Fields& fields, ProjectionSyntax syntax,
                                         const QueryContext& context) {
  return ProjectionParser(syntax, context).Parse(fields);
}

Answer<FieldTree> ParseAddedFields(const Fields& fields, const QueryContext& context) {
  FieldTree tree;
  for (const Field& field : fields) {
    MONGO_TRY(AddComputed(tree, field.name, field.value, context));
  }
  return tree;
}

}  // namespace orrery::mongo
