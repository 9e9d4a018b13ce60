-- SPDX-License-Identifier: MIT
-- completion.lua -- the command completion: scripts that make shells complete the program's commands, options and values.
-- Must hold: as files.lua. It needs no argparse: arguments.lua describes the commands to an object of this file instead.

local files = require "fleece.command.files"

-- ------------------------------------------------------------------------------------- what there is to complete

local Entry, Command = {}, {}
Entry.__index, Command.__index = Entry, Command

local function ignored(self) return self end
for _, name in ipairs { "args", "argname", "action" } do Entry[name] = ignored end
for _, name in ipairs { "add_help", "command_target", "require_command", "epilog" } do Command[name] = ignored end

function Entry:choices(list)
  self.values = list
  return self
end

function Entry:count()
  self.is_repeated = true
  return self
end

-- A description is as short as a menu needs it.
function Entry:description(text)
  self.text = text:match "^(.-)%.%f[ %z]" or text
  return self
end
Command.description = Entry.description

local function entry(self, names, takes_value)
  local made = setmetatable({ names = {}, takes_value = takes_value }, Entry)
  for name in names:gmatch "%S+" do made.names[#made.names + 1] = name end
  table.insert(takes_value == nil and self.arguments or self.options, made)
  return made
end
function Command:flag(names) return entry(self, names, false) end
function Command:option(names) return entry(self, names, true) end
function Command:argument(name) return entry(self, name, nil) end

local function new_command(name) return setmetatable({ name = name, options = {}, arguments = {}, commands = {} }, Command) end

function Command:command(name)
  local made = new_command(name)
  table.insert(self.commands, made)
  return made
end

-- The values of a command's argument, or nil: files.
local function values_of(command)
  local argument = command.arguments[1]
  return argument and argument.values
end

-- ------------------------------------------------------------------------------------- scripts

local scripts = {}

-- bash splits words at "=". Where COMPREPLY is empty it completes the names of files.
function scripts.bash(program)
  local lines = { [=[
_fleece() {
    local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" command="" word words=""
    if [[ "$cur" = "=" ]]; then cur=""
    elif [[ "$prev" = "=" ]]; then prev="${COMP_WORDS[COMP_CWORD-2]}"
    fi
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        if [[ "$word" != -* ]]; then command="$word"; break; fi
    done
    COMPREPLY=()
    case "$command $prev" in]=] }
  local function add(...) lines[#lines + 1] = string.format(...) end
  local function names(command)
    local all = {}
    for _, option in ipairs(command.options) do all[#all + 1] = table.concat(option.names, " ") end
    return table.concat(all, " ")
  end
  for _, command in ipairs(program.commands) do
    for _, option in ipairs(command.options) do
      if option.takes_value then
        local patterns = {}
        for i, name in ipairs(option.names) do patterns[i] = ('"%s %s"'):format(command.name, name) end
        add("    %s) words=\"%s\" ;;", table.concat(patterns, "|"), table.concat(option.values or {}, " "))
      end
    end
  end
  add("    *)\n        case \"$command $cur\" in")
  for _, command in ipairs(program.commands) do
    add("        \"%s -\"*) words=\"%s\" ;;", command.name, names(command))
    if values_of(command) then add("        \"%s \"*) words=\"%s\" ;;", command.name, table.concat(values_of(command), " ")) end
  end
  local all = {}
  for i, command in ipairs(program.commands) do all[i] = command.name end
  add("        \" -\"*) words=\"%s\" ;;", names(program))
  add("        \" \"*) words=\"%s\" ;;", table.concat(all, " "))
  lines[#lines + 1] = [=[
        esac ;;
    esac
    if [[ -n "$words" ]]; then COMPREPLY=($(compgen -W "$words" -- "$cur")); fi
}
complete -o bashdefault -o default -F _fleece fleece]=]
  return table.concat(lines, "\n")
end

function scripts.zsh(program)
  local lines = {}
  local function add(...) lines[#lines + 1] = string.format(...) end
  local function quoted(text) return "'" .. text:gsub("'", "'\\''") .. "'" end
  local function values(list) return list and "(" .. table.concat(list, " ") .. ")" or "_files" end
  local function add_options(command, indent)
    for _, option in ipairs(command.options) do
      local text = "[" .. option.text:gsub("[%[%]:\\]", "\\%0") .. "]" .. (option.takes_value and ": :" .. values(option.values) or "")
      local short, long = option.names[1], option.names[2]
      local ends = option.takes_value and { "+", "=" } or { "", "" }
      if not long then add("%s%s", indent, quoted((option.is_repeated and "*" or "") .. short .. ends[2] .. text))
      else add("%s{%s%s,%s%s}%s", indent, short, ends[1], long, ends[2], quoted(text)) end
    end
  end
  add "#compdef fleece\n_fleece() {\n  local context state state_descr line\n  typeset -A opt_args\n  local -a options commands\n  options=("
  add_options(program, "    ")
  add "  )\n  commands=("
  for _, command in ipairs(program.commands) do add("    %s", quoted(command.name .. ":" .. command.text:gsub(":", "\\:"))) end
  add "  )\n  _arguments -s -S $options ': :->command' '*:: :->arguments' && return 0\n  case $state in"
  add "  command) _describe command commands || _files ;;\n  arguments)\n    options=()\n    case $words[1] in"
  for _, command in ipairs(program.commands) do
    add("    %s)\n      options=(", command.name)
    add_options(command, "        ")
    add("        %s\n      ) ;;", quoted("*: :" .. values(values_of(command))))
  end
  lines[#lines + 1] = [[
    *) options=('*: :_files') ;;
    esac
    _arguments -s -S $options ;;
  esac
}
if [ "$funcstack[1]" = _fleece ]; then _fleece "$@"
elif (( $+functions[compdef] )); then compdef _fleece fleece
fi]]
  return table.concat(lines, "\n")
end

function scripts.fish(program)
  local lines = { [[
# Is this the command, the first word that is no option? Without an argument: is there none yet?
function __fish_fleece_command
    set -l words (commandline -poc)
    for word in $words[2..-1]
        string match -q -- '-*' $word; and continue
        test "$word" = "$argv[1]"
        return
    end
    test (count $argv) -eq 0
end]] }
  local function quoted(text) return "'" .. text:gsub("[\\']", "\\%0") .. "'" end
  local function add(condition, rest, text)
    lines[#lines + 1] = ("complete -c fleece -n '%s'%s -d %s"):format(condition, rest, quoted(text))
  end
  local function add_options(command, condition)
    for _, option in ipairs(command.options) do
      local rest = ""
      for _, name in ipairs(option.names) do rest = rest .. (name:sub(2, 2) == "-" and " -l " or " -s ") .. name:gsub("^%-+", "") end
      if option.values then rest = rest .. " -xa '" .. table.concat(option.values, " ") .. "'"
      elseif option.takes_value then rest = rest .. " -r" end
      add(condition, rest, option.text)
    end
  end
  add_options(program, "__fish_fleece_command")
  for _, command in ipairs(program.commands) do
    local condition = "__fish_fleece_command " .. command.name
    add("__fish_fleece_command", " -a " .. command.name, command.text)
    add_options(command, condition)
    if values_of(command) then add(condition, " -xa '" .. table.concat(values_of(command), " ") .. "'", command.arguments[1].text) end
  end
  return table.concat(lines, "\n")
end

local commands = {}

-- Needs only args.shell.
function commands.completion(args)
  local program = require "fleece.command.arguments" (new_command, "")
  local output = files.create()
  output:write(scripts[args.shell](program) .. "\n")
  output:finish()
  return files.EXIT_FINE
end

return commands
