-- SPDX-License-Identifier: MIT
-- escaped.lua -- strings of JSON with many escapes, as they stand between the quotes: dense ones, \uXXXX as Python
-- writes what is not ASCII, and source code. Each has about `SIZE` bytes of text.
--
-- A workload has a name, its goal (how many times faster than lua-cjson decoding should be) and its text.

local SIZE = 16000

local SHORT = { ['"'] = '\\"', ["\\"] = "\\\\", ["\b"] = "\\b", ["\f"] = "\\f", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t" }

local function unit(c) return ("\\u%04x"):format(c) end

-- A character of several bytes as \uXXXX, or two of them.
local function ascii(character)
  local bytes = { character:byte(1, -1) }
  local c = bytes[1] % (#bytes == 2 and 32 or #bytes == 3 and 16 or 8)
  for i = 2, #bytes do c = c * 64 + bytes[i] % 64 end
  if c < 0x10000 then return unit(c) end
  return unit(0xd800 + math.floor((c - 0x10000) / 1024)) .. unit(0xdc00 + c % 1024)
end

-- The text between the quotes, as Python's json.dumps writes it.
local function quote(s)
  s = s:gsub('[%c"\\]', function(c) return SHORT[c] or unit(c:byte()) end)
  return (s:gsub("[\194-\244][\128-\191]+", ascii))
end

local SCRIPT = [==[
#!/usr/bin/env bash
set -euo pipefail
readonly target="${1:?usage: $0 TARGET}"

build() {
	local name="$1" flags=("${@:2}")
	echo "building \"$name\" with ${flags[*]:-no flags}" >&2
	if [[ ! -d "build/$name" ]]; then
		mkdir -p "build/$name"
	fi
	(cd "build/$name" && cmake -DCMAKE_BUILD_TYPE="Release" "${flags[@]}" ../.. | sed -e 's/^/\t/')
}

for f in "$target"/*.conf; do
	name=$(basename "$f" .conf)
	printf '%s\t%s\n' "$name" "$(grep -c '^\s*[^#]' "$f" || true)"
	build "$name" $(awk -F'\t' '$1 == "flag" { print "-D" $2 "=\"" $3 "\"" }' "$f")
done
]==]

local PAGE = [[
<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8"><title>A page</title>
  <link rel="stylesheet" href="/style/main.css" type="text/css">
</head>
<body class="home page">
  <nav id="top"><a href="/" class="logo">Home</a> <a href="/about/" title="About us">About</a></nav>
  <p class="lead">A paragraph with some words in it, and <em>a few more</em> of them after that.</p>
  <form action="/search" method="get"><input type="text" name="q" value="" placeholder="Search"></form>
</body>
</html>
]]

local DIFF = [[
diff --git a/src/text/quote.c b/src/text/quote.c
index 3f1c2aa..9be0d41 100644
--- a/src/text/quote.c
+++ b/src/text/quote.c
@@ -12,9 +12,11 @@ static void put(struct out *o, const char *s)
 {
 	while (*s) {
-		if (*s == '"' || *s == '\\')
-			fputc('\\', o->file);
-		fputc(*s++, o->file);
+		const char *to = escapes[(unsigned char)*s];
+		if (to)
+			fputs(to, o->file); /* "\n", "\t", ... */
+		else
+			fputc(*s, o->file);
+		s++;
 	}
 }
]]

local CODE = [[
local function cut(text)
  local pieces, done = {}, 1
  for i = 1, #text do
    if text:sub(i, i) == "\n" then
      pieces[#pieces + 1] = text:sub(done, i)
      done = i + 1
    end
  end
  return pieces, "done"
end

]]

local CHAT = "Yes. `cut` splits the text at its line ends, and returns a list with the pieces. The last one is missing if the "
  .. "text does not end with a line end.\n\n```lua\n" .. CODE .. "```\n\nYou can call it \"as is\", or:\n\n- read the file "
  .. "with `io.open(name, \"rb\")`\n- pass the text to `cut`\n- join the pieces with `table.concat`\n\n"

local list = {}

local function add(goal, name, text)
  list[#list + 1] = { name = name, goal = goal, text = text:rep(math.floor(SIZE / #text)) }
end

add(1.5, "\\n", "\\n")
add(1.5, "a letter and \\n", "a\\n")
add(1.5, "a letter and \\t", "a\\t")
add(1.5, "two letters and \\n", "ab\\n")
add(1.5, 'a word and \\"', 'words\\"')
add(2.5, "\\u0001", "\\u0001")
add(2.5, "\\u0041", "\\u0041")
add(2.5, "surrogate pairs", "\\ud83d\\ude00")
add(2.5, "Chinese", quote "字符串里面的每一个字都写成转义序列，数字和标点也在其中。")
add(2.5, "Cyrillic", quote "Каждая буква этого предложения записана в виде шести знаков, как это делает Питон. ")
add(2.5, "Greek", quote "Κάθε γράμμα αυτής της πρότασης γράφεται με έξι χαρακτήρες; έτσι το κάνει η Python. ")
add(3, "a bash script", quote(SCRIPT))
add(3, "a page", quote(PAGE))
add(3, "a diff", quote(DIFF))
add(3, "Lua", quote(CODE))
add(3, "a chat with code", quote(CHAT))

return list
