// A Projection copies the parts of a document that somebody looks at: what is at some paths, and
// nothing else.
//
// Paths lead through objects. An array on the way is copied as a whole, so that what a path leads
// to in the copy is what it leads to in the document, whether or not paths go on into elements.
// Without paths the copy is empty.
//
// Immutable, so thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/document/document.h"
#include "model/path/path.h"

namespace orrery::model {

class Projection {
 public:
  // The path of the document itself, which is all of it, is left out of account.
  explicit Projection(std::vector<Path> paths);

  Document Apply(DocumentView document) const;

  const std::vector<Path>& paths() const { return paths_; }

 private:
  // A Branch is the part that is wanted below one name: all, or some fields.
  struct Branch {
    std::string name;
    bool is_whole = false;
    std::vector<Branch> fields;
  };

  static void Add(std::vector<Branch>& branches, const std::vector<std::string>& steps,
                  size_t first);
  static void Copy(const std::vector<Branch>& branches, DocumentView document, std::string& out);

  std::vector<Path> paths_;
  std::vector<Branch> branches_;
};

}  // namespace orrery::model
