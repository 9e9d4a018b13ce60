-- SPDX-License-Identifier: MIT
-- schemas.lua -- the schema of the command validate, and the files that it refers to.
-- Must hold: as files.lua. Nothing is read from a network, and of files only those that the command line names, and
-- those in the folder of the schema and below: a schema may come from a stranger.

local settings = require "fleece.command.settings"
local files = require "fleece.command.files"
local documents = require "fleece.command.documents"
local fleece = settings.fleece
local fail = files.fail

-- The name of the folder that relative paths begin in. There are several, so that ".." of a path can leave it.
local HERE = ("-/"):rep(16)

local function encode_segment(text)
  return (text:gsub("[^%w%-._~]", function(c) return ("%%%02X"):format(c:byte()) end))
end

-- Returns a URI for the file, so that references can be resolved against it.
local function uri_of(path)
  local segments = {}
  if package.config:sub(1, 1) == "\\" then path = path:gsub("\\", "/") end
  if not path:find "^/" and not path:find "^%a:/" then path = HERE .. path end
  for segment in path:gmatch "[^/]+" do
    if segment == ".." then table.remove(segments)
    elseif segment ~= "." then segments[#segments + 1] = encode_segment(segment) end
  end
  return "file:///" .. table.concat(segments, "/")
end

local function folder_of(text) return text:match "^.*/" or "" end

-- Returns what is after the prefix as a path in a folder; nil: the text does not begin with it, or the path leaves it.
local function path_below(prefix, text)
  if prefix == "" or text:sub(1, #prefix) ~= prefix then return nil end
  local path = text:sub(#prefix + 1):gsub("%%(%x%x)", function(hex) return string.char(tonumber(hex, 16)) end)
  local leaves = path:find "^/" or path:find "[%z\\:]" or ("/" .. path .. "/"):find("/../", 1, true)
  return path ~= "" and not leaves and path or nil
end

-- Returns the text of a file, JSON or a document.
local function read(path, args)
  local doc, input = documents.open(path, { json = not path:find "%.fleece$" }, { keys = documents.load_keys(args) })
  if doc then
    local text = documents.to_text(doc, input.name, {})
    input:close()
    return text, input.name
  end
  local text = input:read_all()
  local fine, message = fleece.format(text)
  if not fine then fail(files.located(input.name, message)) end
  return text, input.name
end

-- The URI that a schema says it has.
local id_of = fleece.pick("/$id", "/id")
local function own_uri(text)
  local _, new, old = id_of(text)
  local id = type(new) == "string" and new or type(old) == "string" and old or nil
  return id and id:find "^%a[%w+.-]*:" and id:gsub("#.*$", "") or nil
end

-- "LINE:COLUMN" of a byte of a text.
local function position(text, byte)
  local before = text:sub(1, byte - 1)
  local _, lines = before:gsub("\n", "")
  return ("%d:%d"):format(lines + 1, #before:match "[^\n]*$" + 1)
end

-- Compiles the schema of the command line. Returns it, and a function that puts paths in the place of the URIs of files.
local function compile(args)
  local path, texts, paths, asked = args.schema, {}, {}, nil
  local is_uri = path:find "^https?://" ~= nil
  local text, name
  if is_uri then text, name = '{"$ref":' .. fleece.encode(path) .. "}", path
  else text, name = read(path, args) end
  local uri = uri_of(path)
  local folder, id = folder_of(uri), own_uri(text)
  local function real(message)
    return (message:gsub(folder:gsub("%p", "%%%0"), (folder_of(path):gsub("%%", "%%%%"))))
  end

  local function add(file)
    local its, its_name = read(file, args)
    local below = path_below(folder, uri_of(file))
    for _, key in ipairs { uri_of(file), own_uri(its) or uri_of(file), id and below and folder_of(id) .. below } do
      texts[key], paths[key] = its, its_name
    end
  end
  for _, file in ipairs(args.ref or {}) do add(file) end

  local function load(wanted)
    local below = not is_uri and (path_below(folder, wanted) or id and path_below(folder_of(id), wanted))
    local file = below and folder_of(path) .. below
    if file and files.exists(file) then
      paths[wanted] = file
      texts[wanted] = read(file, args)
      return texts[wanted]
    end
    asked = file and ": there is no file " .. file
      or wanted:find "^file:" and ": it is not below the folder of the schema: name its file with --ref"
      or (" (%s): nothing is read from the network: name the file that has this $id with --ref"):format(wanted)
  end

  local schema, message, failure = fleece.schema(text, {
    uri = uri, at = args.at, draft = args.draft, formats = args.formats, strict = args.strict,
    values = not args.hide_values, schemas = texts, load = load, max_depth = args.max_depth,
    json5 = args.json5, comments = args.comments, trailing_commas = args.trailing_commas, bom = args.bom,
    invalid_utf8 = args.invalid_utf8, invalid_numbers = args.invalid_numbers,
  })
  if schema then return schema, real end
  local source, rest = message:match "^not a JSON Schema: in (%S+): (.*)$"
  if source then
    name, text = paths[source] or real(source), texts[source]
    message = "not a JSON Schema: " .. rest
  end
  local byte = failure and failure.byte
  local place = byte and text and not is_uri and ":" .. position(text, byte) or ""
  fail("%s%s: %s%s", name, place, real(message), asked and message:find "leads nowhere" and real(asked) or "")
end

return { compile = compile }
