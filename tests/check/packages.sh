#!/usr/bin/env bash
# packages.sh -- what packagers read agrees with the sources; the workflows are what GitHub takes.
. "$(dirname "$0")/support/lib.sh"
wrong=
while read -r f; do
  name=fleece.${f%.lua} name=${name//\//.}
  grep -q "\[\"$name\"\] = \"$f\"" fleece-scm-1.rockspec || wrong="$wrong$f is not in the rockspec as $name"$'\n'
done < <(find compat -name '*.lua' | sort)
verdict "the rockspec has all of compat/" "${wrong%$'\n'}"

wrong=
while read -r f; do
  name=${f#lua/} name=${name%.lua} name=${name//\//.}
  grep -q "\[\"$name\"\] = \"$f\"" fleece-scm-1.rockspec || wrong="$wrong$f is not in the rockspec as $name"$'\n'
done < <(find lua -name '*.lua' | sort)
verdict "the rockspec has all of lua/" "${wrong%$'\n'}"

# Debian: yamllint; actionlint comes from its authors.
for lint in yamllint actionlint; do
  if ! command -v $lint >/dev/null; then skipped "the workflows please $lint" "no $lint"; continue; fi
  case $lint in
    yamllint) said=$(yamllint -d '{extends: default, rules: {line-length: {max: 120}}}' .github/workflows 2>&1) ;;
    actionlint) said=$(actionlint .github/workflows/*.yml 2>&1) ;;
  esac
  verdict "the workflows please $lint" "$said"
done

section() { sed -n "/^## How to report/,\$p" "$1" | tail -n +2; }
verdict "SECURITY.md says what docs/about/security.md says of reports" "$(diff <(section SECURITY.md) <(section docs/about/security.md))"
