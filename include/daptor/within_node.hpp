// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/fields.hpp"

namespace daptor {

/// How ranks of one node exchange elements. Elements do not depend on it. Without messages, a rank
/// takes them from the memory of the rank that has them, or from pages that both have mapped.
enum class WithinNode { messages, quicker, direct };
constexpr auto words(WithinNode) {
  return word_list(word("quicker", WithinNode::quicker,
                        "without messages where that takes less time; the environment variable "
                        "`DAPTOR_NODE` can name another word for it"),
                   word("messages", WithinNode::messages, "by messages"),
                   word("direct", WithinNode::direct,
                        "without messages wherever the system allows it, for tests"));
}

}  // namespace daptor
