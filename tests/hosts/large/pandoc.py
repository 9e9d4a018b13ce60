# SPDX-License-Identifier: MIT
# pandoc.py -- Fleece in pandoc's filters (Lua 5.3): the guide's filter, and use.lua.

from common import USE, Unpacked, check, check_use, cpath_of, finish, module_for, named_block, same, write

host = Unpacked("pandoc", "usr/bin/pandoc")
ENV = cpath_of(module_for("lua5.3"))
DATA = "--data-dir=" + host.root + "/usr/share/pandoc/data"
text = write("text.md", """One:

```json
{"id":1.50,"list":[{},[]]}
```

```json
{"id":
```

```lua
x{}
```
""")
use = write("use.lua", "io.write(dofile %r)\nos.exit(0)" % USE)
check_use("pandoc", host.run(DATA, "-L", use, text, env=ENV)[1], "lua5.3")
guide = write("json.lua", named_block("docs/hosts.md", "pandoc"))
code, out, err = host.run(DATA, "-t", "markdown", "-L", guide, text, env=ENV)
same("the guide's filter formats what is JSON", (code, out), (0, """One:

``` json
{
  "id": 1.50,
  "list": [
    {},
    []
  ]
}
```

``` json
{"id":
```

``` lua
x{}
```
"""))
check("and says what is not", err.startswith(text + ": unexpected end at line 1, column 7"), err)
finish()
