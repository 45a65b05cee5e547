# SPDX-License-Identifier: BSD-3-Clause
# Completes the commands, options and files of daptor in bash. What there is, its help says.

# The words that an option takes, `text|json` in the help text, one on each line.
_daptor_choices() {
  sed -nE "s/^ +([^ ]+,)?$1(,[^ ]+)? ([^ ]+[|][^ ]+).*/\3/p" <<<"$2" | tr '|' '\n'
}

_daptor() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command= word help
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* || $word == help ]] || { command=$word; break; }
  done
  help=$("${COMP_WORDS[0]}" ${command:+"$command"} --help </dev/null 2>/dev/null) || return
  local words
  if [[ $current == -* ]]; then
    words=$(grep -E '^ +-' <<<"$help" | grep -oE -- '(^ +|,)-[-a-zA-Z]+' | tr -d ' ,')
  elif [[ -z $command ]]; then
    words=$(sed -nE '/^subcommands:/I,/^$/s/^  ([a-z]+)  .*/\1/p' <<<"$help")
  elif [[ $previous == -* ]]; then
    words=$(_daptor_choices "$previous" "$help")
  elif [[ $command == rule ]]; then
    words=$("${COMP_WORDS[0]}" rule </dev/null 2>/dev/null | sed -nE 's/^  ([^ ]+)  .*/\1/p')
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}

complete -o default -F _daptor daptor
