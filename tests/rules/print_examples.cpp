// SPDX-License-Identifier: BSD-3-Clause
// Prints the examples of all rules as one JSON array, for the tests of the schema and of the site.

#include <iostream>

#include "rules/examples.hpp"

int main() {
  const char* separator = "[";
  for (const daptor::examples::RuleExample& example : daptor::examples::all()) {
    std::cout << separator << "{\"rule\": \"" << example.rule << "\", \"conforms\": "
              << (example.verdict == daptor::Verdict::conforms ? "true" : "false")
              << ", \"findings\": [";
    const char* comma = "";
    for (const auto id : example.findings) {
      std::cout << comma << '"' << id << '"';
      comma = ", ";
    }
    std::cout << "], \"description\":\n" << example.description << "}";
    separator = ",\n";
  }
  std::cout << "]\n";
  return std::cout.flush() ? 0 : 1;
}
