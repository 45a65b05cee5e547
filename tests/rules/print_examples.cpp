// SPDX-License-Identifier: BSD-3-Clause
// Prints the examples of all rules as one JSON array, for the test of the schema.

#include <iostream>

#include "daptor/rules.hpp"

int main() {
  const char* separator = "[";
  for (const daptor::protocol::Rule& rule : daptor::protocol::rules()) {
    for (const daptor::protocol::RuleExample& example : rule.examples) {
      std::cout << separator << "{\"rule\": \"" << rule.id << "\", \"conforms\": "
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
  }
  std::cout << "]\n";
  return std::cout.flush() ? 0 : 1;
}
