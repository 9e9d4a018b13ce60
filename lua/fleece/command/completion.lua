-- SPDX-License-Identifier: MIT
-- completion.lua -- the command completion: scripts that make shells complete the program's commands and options,
-- which are argparse's scripts with corrections.
-- Must hold: if another version of argparse writes something else, its script is not changed.

local files = require "fleece.command.files"

-- The choices of the arguments of commands, as "a b c".
local CHOICES = { completion = "bash zsh fish" }

local mend = {}

-- bash splits words at "=", and argparse's script completes only options.
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

-- zsh must be told that an argument may follow after "=".
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

local commands = {}

function commands.completion(args)
  local output, parser, _, _, names = files.create(), args.parsers()
  CHOICES.help = table.concat(names, " ")
  output:write(mend[args.shell](parser["get_" .. args.shell .. "_complete"](parser)))
  output:finish()
  return files.EXIT_FINE
end

return commands
