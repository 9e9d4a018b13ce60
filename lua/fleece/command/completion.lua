-- SPDX-License-Identifier: MIT
-- completion.lua -- the scripts that make shells complete the program's commands and options: argparse's, mended.
-- Must hold: where argparse writes something else one day, its script is left as it is.

-- The words after `command` that are arguments of it with choices, as "a b c".
local CHOICES = { completion = "bash zsh fish" }

local mend = {}

-- bash cuts words at "=", and argparse's script completes options alone.
function mend.bash(script)
  script = script:gsub('(\n    prev="%${COMP_WORDS%[COMP_CWORD%-1%]}"\n)', function(line)
    return line .. [=[
    if [[ "$cur" = "=" ]]; then cur=""
    elif [[ "$prev" = "=" ]]; then prev="${COMP_WORDS[COMP_CWORD-2]}"
    fi
]=]
  end)
  for command, words in pairs(CHOICES) do
    script = script:gsub("\n    case \"%$cmd\" in\n", function(line)
      return line .. ("        '%s')\n            COMPREPLY=($(compgen -W \"%s\" -- \"$cur\"))\n            ;;\n")
        :format(command, words)
    end)
  end
  return script
end

-- zsh has to be told that an argument may follow behind "=".
function mend.zsh(script)
  script = script:gsub('\n( +)"(%-%-[%w-]+)%[([^\n]-[^\\]%]: ?:)', '\n%1"%2=[%3')
  return (script:gsub('\n( +){(%-%w),(%-%-[%w-]+)}"%[([^\n]-[^\\]%]: ?:)', '\n%1{%2+,%3=}"[%4'))
end

function mend.fish(script)
  for command, words in pairs(CHOICES) do
    script = script .. ("complete -c fleece -n '__fish_fleece_using_command %s' -xa '%s'\n"):format(command, words)
  end
  return script
end

-- The script for a shell; `parsers` makes the parser for completion.
return function(shell, parsers)
  local parser = parsers(true)
  return mend[shell](parser["get_" .. shell .. "_complete"](parser))
end
