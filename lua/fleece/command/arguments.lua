-- SPDX-License-Identifier: MIT
-- arguments.lua -- the commands of the program fleece and their options, for argparse; also for completion.
-- Must hold: nothing is printed here. argparse would print help texts itself, and end the program without checking that
-- they were written.

-- Returns the parser, the parsers of the commands by name, and a table: if parsing raises, its `text` can be the text
-- that was requested instead of a command. `only` names the command whose options are needed, because all of them take
-- longer to make than most inputs to read; nil is for completion: all, and options also list their values.
return function(argparse, version, only)
  local parser = argparse("fleece", "JSON and the Fleece binary format.")
    :command_target "command":require_command(true)
    :epilog "Exit status: 0 success; 1 no match, invalid or different; 2 error."
  local made, asked, names = {}, {}, {}

  local function answer(text)
    asked.text = text
    error("asked for", 0)
  end
  local function help(to)
    to:add_help(false)
    to:flag "-h --help":description "Show this help message and exit.":action(function() answer(to:get_help()) end)
  end
  help(parser)
  parser:flag "--version":description "Print the version; with -v after it also the Lua.":action(function() answer("fleece " .. version) end)

  local function command(name, description, fill)
    made[name] = parser:command(name):description(description)
    names[#names + 1] = name
    if only and only ~= name then return end
    help(made[name])
    fill(made[name])
  end
  local function file(to, name, description)
    to:argument(name):description(description or "A file, or - for standard input."):args "?"
  end
  local function policies(to)
    to:option "--invalid-utf8":description "What to do with bytes that are not UTF-8."
      :choices { "error", "replace", "escape", "pass" }
    to:option "--invalid-numbers":description "What to do with NaN and Infinity."
      :choices { "error", "null", "literal" }
    to:option "--max-depth":description "The deepest nesting of arrays and objects."
    to:option "--max-values":description "How many values a Fleece document may have, shared ones counted each time."
    to:option "--max-bytes":description "The longest text that a Fleece document may become."
    to:flag "-q --quiet":description "Show no progress; check prints no messages."
  end
  local function lenient(to)
    to:flag "--json5":description "Read JSON5."
    to:flag "--comments":description "Allow comments."
    to:flag "--trailing-commas":description "Allow commas before a closing bracket."
    to:flag "--bom":description "Allow a byte order mark."
    policies(to)
  end
  local function out(to)
    to:option "-o --output":description "Write to this file. It appears when all output is written."
  end
  local function colored(to)
    to:option "--color":description "Use colours (default: on a terminal).":choices { "auto", "always", "never" }
  end
  local function indented(to)
    local option = to:option "-i --indent":description "Spaces per level, 0 to 16, or tab."
    if not only then option:choices { "0", "1", "2", "3", "4", "8", "16", "tab" } end
  end
  local function keys(to, description)
    to:option "--keys":description(description or "A file with the shared keys of documents.")
  end
  local function kinds(to)
    to:flag "--json":description "The input is JSON, whatever it looks like."
    to:flag "--binary":description "The input is a Fleece document, whatever it looks like."
    keys(to)
  end
  local function lines(to, description)
    to:flag "--lines":description(description or "The input is one document per line (NDJSON).")
  end
  local function keep_going(to)
    to:flag "--keep-going":description "Each line is a document. Report bad lines and skip them; exit status 1."
  end
  local function mode(to)
    to:option "--mode":description "How Fleece documents are written.":choices { "compact", "compatible", "fast" }
  end
  local function patches(to, verb)
    to:flag "--json":description(verb .. " a JSON Patch (RFC 6902).")
    to:flag "--merge":description(verb .. " a JSON Merge Patch (RFC 7396).")
  end
  local function editing(to)
    to:flag "--unbuffered":description "With lines: read line by line and write at once."
    lines(to, "Each line of the input is a document.") keep_going(to) out(to) lenient(to)
  end

  local function argument_values(to)
    to:option "--arg":argname "<name>=<value>":count "*":description "In the expression, name is this string."
    to:option "--arg-json":argname "<name>=<value>":count "*":description "In the expression, name is the value of this JSON text."
    to:flag "--unsafe":description "The expression may use all of Lua: files, programs, modules."
  end

  for _, it in ipairs { { "fmt", "Print JSON with lines and indentation." }, { "min", "Print JSON without white space." } } do
    local name = it[1]
    command(name, it[2], function(c)
      c:argument "files":description "Files, - for standard input.":args "*"
      if name == "fmt" then
        indented(c)
        local option = c:option "-w --width":description "Keep arrays and objects on one line if they fit in this many columns."
        if not only then option:choices { "80", "100", "120" } end
      end
      c:flag "-s --sort-keys":description "Sort members by their names."
      c:option "--decimals":description "Write numbers that have a point or an exponent with so many decimals, 0 to 17."
      c:flag "--float32":description "Write the fewest digits that give the same float of 32 bits."
      c:flag "--safe-integers":description "Refuse integers beyond 2^53 - 1."
      c:flag "--canonical":description "Canonical JSON (RFC 8785), the same bytes for the same value; without white space."
      c:flag "--slurp":description "Print one array, of the documents of all files."
      c:flag "--unbuffered":description "Read line by line and write at once."
      keep_going(c) out(c) colored(c) lenient(c)
    end)
  end
  command("check", "Test whether files are valid. Exit status 1: not valid.", function(c)
    c:argument "files":description "Files, - for standard input.":args "*"
    c:flag "-v --verbose":description "Name the valid files, too."
    lines(c) keep_going(c) kinds(c) lenient(c)
  end)
  command("validate", "Test whether files are as a JSON Schema says. Exit status 1: not valid.", function(c)
    c:argument "files":description "Files, - for standard input.":args "*"
    c:option "-s --schema":argname "<file>":description "The schema; or the URI of a draft's metaschema."
    c:option "-r --ref":argname "<file>":count "*"
      :description "Another schema that $ref may lead to, by its $id or its path. Files below the schema's folder are found."
    c:option "--at":argname "<pointer>":description "Where the schema is in its file, such as /components/schemas/Pet."
    c:option "--draft":description "What counts where $schema says nothing (default: 2020-12)."
      :choices { "2020-12", "2019-09", "7", "6", "4", "openapi-3.1", "openapi-3.0" }
    c:flag "--formats":description "Test format, too."
    c:flag "--strict":description "Refuse unknown keywords and other likely mistakes in the schema."
    c:flag "-a --all":description "Print all failures, not only the first one of each document."
    c:option "-e --errors":description "Print failures as lines of text, or of JSON with all that is known (default: text)."
      :choices { "text", "json" }
    c:flag "--hide-values":description "Print no values that were found: they may be secret."
    c:flag "-v --verbose":description "Name the valid files, too."
    c:flag "--unbuffered":description "With lines: read line by line and write at once."
    lines(c, "Each line of the input is a document.") keep_going(c) out(c) kinds(c) lenient(c)
  end)
  command("get", "Print the values at paths. Exit status 1: there is none.", function(c)
    c:argument "file":description "A file, or - for standard input. With a path alone standard input is read.":args "?"
    c:argument "paths":argname "<path>":args "*"
      :description "Paths such as people[122].name or people[-1], JSON pointers such as /people/122/name, or a JSONPath: '$..name'."
    c:flag "-r --raw":description "Print strings without quotes and escapes."
    c:flag "--row":description "Print the values of each document as one array, with null for what is missing."
    c:option "--where":argname "<expression>":description "Only of documents for which this is true, an expression as of filter."
    argument_values(c)
    c:flag "--unbuffered":description "Read line by line and write at once."
    lines(c, "Each line of the input is a document.") keep_going(c) indented(c) out(c) colored(c) kinds(c) lenient(c)
  end)
  local function expression(to)
    to:argument "expression":argname "<expression>":description "An expression in Lua, with _ as the value."
    to:argument "files":description "Files, - for standard input.":args "*"
    argument_values(to)
    to:flag "-r --raw":description "Print strings without quotes and escapes."
    to:flag "-s --sort-keys":description "Sort members by their names."
    to:flag "--slurp":description "The value is one array, of the documents of all files."
    to:flag "--unbuffered":description "Read line by line and write at once."
    lines(to, "Each line of the input is a document.") keep_going(to) indented(to) out(to) colored(to) kinds(to) lenient(to)
  end
  command("map", "Print the value of an expression for each document.", function(c)
    c:flag "-n --null-input":description "Read nothing: evaluate the expression once."
    c:flag "-R --raw-input":description "Each line is a string, not JSON; with --slurp the whole text is."
    c:flag "-j --join-output":description "As --raw, without line breaks."
    c:flag "-e --exit-status":description "Exit status 1 if the last value is false or null, or there is none."
    expression(c)
  end)
  command("filter", "Print the documents for which an expression is true. Exit status 1: there is none.", expression)
  local function ordering(to)
    to:argument "path":argname "<path>":description "A path such as user.age, or a JSON pointer such as /user/age."
    to:argument "files":description "Files, - for standard input.":args "*"
    to:option "--then":argname "<path>":count "*":description "A further path, where the values of the ones before are equal."
    to:flag "--reverse":description "The largest value first."
    lines(to, "Order the lines of all files, instead of the items of arrays.")
    keep_going(to) indented(to) out(to) colored(to) kinds(to) lenient(to)
  end
  command("sort", "Order the items of an array, or lines, by the value at a path.", function(c)
    c:flag "-u --unique":description "Of items with equal values only the first."
    ordering(c)
  end)
  command("group", "Put items or lines with equal values at a path together.", function(c)
    c:flag "-c --count":description "Print the value and the number of items, instead of the items."
    ordering(c)
  end)
  for _, it in ipairs { { "keys", "Print the names of objects, or the indexes of arrays." },
                        { "length", "Print how many items, members or characters values have." } } do
    command(it[1], it[2], function(c)
      c:argument "file":description "A file, or - for standard input.":args "?"
      c:argument "paths":argname "<path>":args "*":description "Paths as of get (default: the whole document)."
      if it[1] == "keys" then
        c:flag "-s --sort-keys":description "Sort the names."
        c:flag "-r --raw":description "Print each name on a line, without quotes and escapes."
      end
      c:flag "--unbuffered":description "Read line by line and write at once."
      lines(c, "Each line of the input is a document.") keep_going(c) indented(c) out(c) colored(c) kinds(c) lenient(c)
    end)
  end
  command("set", "Change values of JSON; all other bytes stay.", function(c)
    c:argument "assignments":argname "<argument>":args "+"
      :description "A file (default: standard input), then a path and a JSON value, or several of both."
    c:flag "-r --raw":description "Values are strings, without quotes and escapes."
    c:flag "-p --parents":description "Make the objects and arrays that a path leads through, if they are missing or null."
    editing(c)
  end)
  command("del", "Remove values of JSON; all other bytes stay. Exit status 1: none was there.", function(c)
    c:argument "file":description "A file, or - for standard input. With a path alone standard input is read.":args "?"
    c:argument "paths":argname "<path>":args "*"
      :description "Paths such as people[122].name, or JSON pointers such as /people/122/name."
    editing(c)
  end)
  command("pack", "Turn JSON into a Fleece document.", function(c)
    file(c, "file")
    c:flag "-f --force":description "Write binary to a terminal, too."
    c:flag "--frame":description "With -o: put a frame with length and checksum before the document."
    lines(c, "Each line of the input is a document; together they become one array.") keep_going(c)
    mode(c) out(c) lenient(c) keys(c, "A file with shared keys, which are added to; it need not exist.")
  end)
  command("unpack", "Turn a Fleece document into JSON.", function(c)
    file(c, "file")
    lines(c, "Print the items of an array, one per line.")
    c:flag "--canonical":description "Sort names, even if shared keys put them in another order."
    c:flag "--json5":description "Write names without quotes where JSON5 allows it."
    indented(c) out(c) colored(c) policies(c) keys(c)
  end)
  command("dump", "Explain the bytes of a Fleece document.", function(c)
    file(c, "file") mode(c) kinds(c) out(c) lenient(c)
  end)
  command("stat", "Count what a document holds.", function(c)
    file(c, "file") lines(c) mode(c) kinds(c) out(c) lenient(c)
  end)
  command("recover", "Save the last whole state of a damaged file.", function(c)
    c:argument "file":description "A file with frames, as pack --frame writes it."
    c:flag "-v --verbose":description "Print what was done, too."
    mode(c) out(c) keys(c)
  end)
  command("compact", "Write files without the history of their changes.", function(c)
    c:argument "files":description "Files with a Fleece document; they get a frame.":args "+"
    c:flag "-v --verbose":description "Print the sizes before and after."
    mode(c) keys(c)
  end)
  command("diff", "Print the delta between two documents, or a patch. Exit status 1: they differ.", function(c)
    c:argument "old" c:argument "new"
    patches(c, "Print")
    c:flag "--test":description "With --json: test the old value before each change."
    indented(c) out(c) colored(c) lenient(c) keys(c)
  end)
  command("patch", "Apply a delta or a patch to a document.", function(c)
    c:argument "file":description "The old document."
    c:argument "delta":description "The delta or patch, as diff prints it."
    patches(c, "Apply")
    c:flag "-f --force":description "Write binary to a terminal, too."
    indented(c) mode(c) out(c) colored(c) lenient(c)
    keys(c, "A file with shared keys, which are added to if the document is a Fleece document.")
  end)
  command("bench", "Time the module, and others that are installed, on a file.", function(c)
    file(c, "file") lenient(c)
  end)
  command("completion", "Print the completion script for a shell.", function(c)
    c:argument "shell":description "The shell.":choices { "bash", "zsh", "fish" }
  end)
  command("help", "Print the help of a command, or of all.", function(c)
    c:argument "topic":description "The command.":args "?":choices(names)
  end)
  return parser, made, asked, names
end
