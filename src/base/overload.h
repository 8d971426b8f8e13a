// Several lambdas as one callable, for std::visit:
//   std::visit(Overload{[](int number) { ... }, [](const std::string& text) { ... }}, variant);
#pragma once

namespace orrery {

template <typename... Fs>
struct Overload : Fs... {
  using Fs::operator()...;
};

}  // namespace orrery
