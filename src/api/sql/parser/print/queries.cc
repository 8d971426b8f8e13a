#include <fmt/format.h>

#include <string_view>
#include <variant>

#include "api/sql/parser/print/append.h"
#include "api/sql/parser/print/print.h"

namespace orrery::sql {
namespace {

constexpr size_t kIndentWidth = 4;

// Ends a line of the full style, or a word of the other.
void Break(std::string& out, PrintStyle style) {
  if (!style.is_full) {
    out += ' ';
    return;
  }
  out += '\n';
  out.append(style.indent * kIndentWidth, ' ');
}

class QueryPrinter {
 public:
  QueryPrinter(std::string& out, PrintStyle style) : out_(out), style_(style) {}

  void Print(const ast::Query& query, bool with_filter = true) {
    PrintSelect(query.select);
    for (size_t i = 0; i < query.sources.size(); ++i) {
      Begin(i == 0 ? "FROM " : "JOIN ");
      PrintSource(query.sources[i]);
    }
    if (query.where && with_filter) {
      Begin("WHERE ");
      Append(*query.where);
    }
    if (!query.group_by.empty()) Begin("GROUP BY ");
    for (size_t i = 0; i < query.group_by.size(); ++i) {
      if (i > 0) out_ += ", ";
      Append(query.group_by[i]);
    }
    if (query.order_by) PrintOrderBy(*query.order_by);
    if (query.offset_limit) {
      Begin("OFFSET ");
      std::visit(*this, query.offset_limit->offset);
      out_ += " LIMIT ";
      std::visit(*this, query.offset_limit->limit);
    }
  }

  // The alternatives of RowCount.
  void operator()(uint32_t count) { out_ += fmt::to_string(count); }
  void operator()(const ast::Parameter& parameter) { out_ += parameter.name; }

  // The selected values.
  void operator()(const ast::SelectAll&) { out_ += '*'; }
  void operator()(const ast::SelectValue& select) {
    out_ += "VALUE ";
    Append(select.value);
  }
  void operator()(const ast::SelectList& select) {
    for (size_t i = 0; i < select.items.size(); ++i) {
      if (i > 0) out_ += ", ";
      Append(select.items[i].value);
      PrintAlias(select.items[i].alias);
    }
  }

  // The alternatives of a collection.
  void operator()(const ast::Expression& collection) {
    AppendExpression(out_, collection, ast::Precedence::kPrimary, style_);
  }
  void operator()(const ast::QueryPtr& collection) { AppendSubquery(out_, *collection, style_); }

 private:
  void Begin(std::string_view clause) {
    Break(out_, style_);
    out_ += clause;
  }

  void Append(const ast::Expression& expression) {
    AppendExpression(out_, expression, ast::Precedence::kConditional, style_);
  }

  void PrintSelect(const ast::Select& select) {
    out_ += "SELECT ";
    if (select.is_distinct) out_ += "DISTINCT ";
    if (select.top) {
      out_ += "TOP ";
      std::visit(*this, *select.top);
      out_ += ' ';
    }
    std::visit(*this, select.what);
  }

  void PrintSource(const ast::Source& source) {
    if (source.is_iterated) {
      out_ += source.alias->text;
      out_ += " IN ";
    }
    std::visit(*this, source.collection);
    if (!source.is_iterated) PrintAlias(source.alias);
  }

  void PrintAlias(const std::optional<ast::Name>& alias) {
    if (!alias) return;
    out_ += " AS ";
    out_ += alias->text;
  }

  void PrintOrderBy(const ast::OrderBy& clause) {
    Begin(clause.is_rank ? "ORDER BY RANK " : "ORDER BY ");
    for (size_t i = 0; i < clause.orderings.size(); ++i) {
      if (i > 0) out_ += ", ";
      Append(clause.orderings[i].value);
      if (const auto order = clause.orderings[i].order)
        out_ += *order == ast::SortOrder::kAscending ? " ASC" : " DESC";
    }
  }

  std::string& out_;
  const PrintStyle style_;
};

}  // namespace

void AppendQuery(std::string& out, const ast::Query& query, PrintStyle style) {
  QueryPrinter(out, style).Print(query);
}

void AppendSubquery(std::string& out, const ast::Query& query, PrintStyle style) {
  const PrintStyle inner{.is_full = style.is_full, .indent = style.indent + 1};
  out += '(';
  if (style.is_full) Break(out, inner);
  AppendQuery(out, query, inner);
  if (style.is_full) Break(out, style);
  out += ')';
}

std::string PrintQuery(const ast::Query& query) {
  std::string out;
  AppendQuery(out, query);
  return out;
}

std::string PrintQueryWithoutFilter(const ast::Query& query) {
  std::string out;
  QueryPrinter(out, {}).Print(query, /*with_filter=*/false);
  return out;
}

std::string PrintQueryInFull(const ast::Query& query) {
  std::string out;
  AppendQuery(out, query, {.is_full = query.depth <= kFullDepthMax});
  return out;
}

}  // namespace orrery::sql
