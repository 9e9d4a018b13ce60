/* SPDX-License-Identifier: MIT
** alloc.c -- lets the n-th allocation fail, n = 1, 2, 3 ..., once and for good: nothing may leak, nothing
** may break, and the next call in the same state must give the right result.
** Build: cc -std=gnu99 -Isrc -I<lua headers> tests/c/alloc.c src/fleece.c -l<lua> -lm -ldl -o alloc
** Works on PUC Lua 5.1 to 5.5 and LuaJIT GC64. Leaves with 0 when all is well, 77 when the runtime
** refuses a custom allocator. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lua.h"
#include "lauxlib.h"
#include "lualib.h"

int luaopen_fleece(lua_State *L);
int luaopen_fleece_safe(lua_State *L);

/* Every block carries its size in front, so that a wrong old size given back by a caller is noticed. */
struct heap {
  long blocks;   /* alive */
  size_t bytes;  /* alive */
  long requests; /* growing requests since armed */
  long fail_at;  /* 0: never */
  int for_good;  /* fail all requests from fail_at on */
  int failed;    /* has one failed since armed? */
};

union block {
  size_t size;
  long double align;
  void *pointer[2];
};

static void die(const char *what, const char *detail) {
  fprintf(stderr, "alloc: %s%s%s\n", what, detail ? ": " : "", detail ? detail : "");
  exit(1);
}

static void *allocate(void *ud, void *ptr, size_t osize, size_t nsize) {
  struct heap *heap = (struct heap *)ud;
  union block *old = ptr ? (union block *)ptr - 1 : NULL, *new;
#ifndef LUA_JITLIBNAME
  /* LuaJIT itself breaks this rule: a closure whose upvalue cannot be had is freed as one without upvalues
  ** (lj_func.c: nupvalues stays 0 until all are made). */
  if (old && old->size != osize) die("a block is given back with another size than it was taken with", NULL);
#endif
  (void)osize;
  if (nsize == 0) {
    if (old) {
      heap->blocks--;
      heap->bytes -= old->size;
      free(old);
    }
    return NULL;
  }
  if ((!old || nsize > old->size) && heap->fail_at) { /* Lua counts on shrinking to succeed */
    heap->requests++;
    if (heap->requests == heap->fail_at || (heap->for_good && heap->requests > heap->fail_at)) {
      heap->failed = 1;
      return NULL;
    }
  }
  new = (union block *)malloc(sizeof(union block) + nsize); /* always moves: stale pointers show under ASan */
  if (!new) die("the test itself ran out of memory", NULL);
  if (old) {
    memcpy(new + 1, ptr, old->size < nsize ? old->size : nsize);
    heap->bytes -= old->size;
    heap->blocks--;
    free(old);
  }
  new->size = nsize;
  heap->bytes += nsize;
  heap->blocks++;
  return new + 1;
}

static long closed; /* states whose last finalizer could use the module */

static int panic(lua_State *L) {
  die("unprotected error", lua_tostring(L, -1));
  return 0;
}

static lua_State *new_state(struct heap *heap) {
  lua_State *L;
  memset(heap, 0, sizeof(*heap));
#if LUA_VERSION_NUM >= 505
  L = lua_newstate(allocate, heap, 1);
#else
  L = lua_newstate(allocate, heap);
#endif
  if (L) lua_atpanic(L, panic);
  return L;
}

/* Values and calls: prepare() makes the values while nothing fails, run() is what must survive. The order of
** keys differs from state to state, so results do not depend on it. */
/* LuaJIT interprets here: a trace that is stitched and runs out of memory while it records the call of a C function
** leaves a broken stack (LuaJIT issues 720 and 1166). Debian 12's, of 2022, crashed so, the newest did not. */
static const char script[] =
  "if jit then jit.off() end\n"
  "local open, open_safe, at_close = ...\n"
  "local long = ('long \\1 text/'):rep(20000)\n"
  "local deep = {}\n"
  "for i = 1, 900 do deep = {deep, i} end\n"
  "local objects = {}\n"
  "for i = 1, 40 do objects[i] = {id = i, name = 'name ' .. i, list = {i, i / 8, {}}, ok = true} end\n"
  "local function hook_text() return '\"hook\"' end\n"
  "local function hook_buffer(self, state)\n"
  "  state.bufferlen = state.bufferlen + 1; state.buffer[state.bufferlen] = '[1]'; return true\n"
  "end\n"
  "local hooked = setmetatable({}, {__tojson = hook_text})\n"
  "local buffered = setmetatable({}, {__tojson = hook_buffer})\n"
  "local listed = setmetatable({}, {__len = function() return 3 end, __index = function(_, i) return i end})\n"
  "local paired = setmetatable({}, {__pairs = function() return next, {p = 1} end})\n"
  "local ordered = setmetatable({x = 1, y = 2}, {__jsonorder = {'y', 'x'}})\n"
  /* Texts to decode. Written with sorted names, so that encoding them again must give the same. */
  "local record = '{\"escaped\":\"' .. ('e\\\\n'):rep(200) .. '\",\"id\":%d,\"list\":[%d,{},[],{\"x\":null}],\"name\":\"name %d\",\"ok\":true}'\n"
  "local records = {}\n"
  "for i = 1, 30 do records[i] = record:format(i, i, i) end\n"
  "records = '[' .. table.concat(records, ',') .. ']'\n"
  "local nested = ('{\"a\":['):rep(40) .. '\"' .. ('long'):rep(5000) .. '\"' .. (']}'):rep(40)\n"
  "local waiting = ('[' .. ('1,'):rep(3000)):rep(20) .. '2' .. (']'):rep(20)\n" /* 60000 values at once */
  "local long_array = '[' .. ('\"item\",'):rep(9000) .. '0]'\n"
  "local map = {}\n"
  "for i = 101, 200 do map[#map + 1] = '\"key ' .. i .. '\":' .. i end\n"
  "map = '{' .. table.concat(map, ',') .. '}'\n"
  "local function again(f, text, options)\n"
  "  local value = f.decode(text, options)\n"
  "  return f.encode(value, {sort_keys = true}) == text and #text or error('decoded wrongly', 0)\n"
  "end\n"
  "local function pieces(f, value, size, options)\n"
  "  local writer, list = f.writer(value, options), {}\n"
  "  while true do\n"
  "    local ok, piece = pcall(writer.next, writer, size)\n"
  "    if not ok then\n"
  "      error(piece, 0)\n"
  "    end\n"
  "    if not piece then break end\n"
  "    list[#list + 1] = piece\n"
  "  end\n"
  "  return table.concat(list) == f.encode(value, options) and 1 or error('written wrongly', 0)\n"
  "end\n"
  /* A parser whose step has failed must not go on. */
  "local function parts(f, text, size, budget, options)\n"
  "  local parser = f.parser(options)\n"
  "  for i = 1, #text, size do\n"
  "    parser:feed(text:sub(i, i + size - 1))\n"
  "    repeat\n"
  "      local ok, more = pcall(parser.step, parser, budget)\n"
  "      if not ok then\n"
  "        error(more, 0)\n"
  "      end\n"
  "    until not more\n"
  "  end\n"
  "  return f.encode(parser:finish(), {sort_keys = true}) == text and #text or error('decoded wrongly', 0)\n"
  "end\n"
  "local small = '{\"list\":[[1],[2,\"two\"],[3]],\"name\":\"a name of some length\",\"x\":null}'\n"
  "local function back(f, text, options)\n"
  "  local doc = f.from_json(text, options)\n"
  "  local keys = options and options.keys\n"
  "  local ok, m = f.check(doc, {keys = keys})\n"
  "  if not ok then error(m, 0) end\n"
  "  return f.to_json(doc, {canonical = true, keys = keys}) == text and #text or error('written wrongly', 0)\n"
  "end\n"
  "local bodies = {\n"
  "  function() return open()._NAME end,\n"
  "  function(f) return f.encode(objects) == f.encode(objects, {layout = 'api'}) and #f.encode(objects) end,\n"
  "  function(f) return #f.encode(long) end,\n"
  "  function(f) return #f.encode(deep) end,\n"
  "  function(f) return #f.json(deep) end,\n"
  "  function(f) return #f.json({long, objects}, 'E4') end,\n"
  "  function(f) return f.size({long, objects, deep}) end,\n"
  "  function(f) return #f.encode(objects, {indent = 2, sort_keys = true, ascii = true}) end,\n"
  "  function(f) return #f.encode(deep, {layout = 'api'}) end,\n"
  "  function(f) return #f.encode({objects}, {key_order = {'name', 'id', 'list', 'ok'}}) end,\n"
  "  function(f) local n = 0; f.write(function(piece) n = n + #piece end, {long, objects, long}); return n end,\n"
  "  function(f) local n = 0; f.write({write = function(_, piece) n = n + #piece end}, objects, {layout = 'api'}); return n end,\n"
  "  function(f) return f.encode({hooked, buffered, listed, paired, ordered}) end,\n"
  "  function(f) local c = f.new({indent = 1, key_order = {'a', 'b'}, precision = 5}); return c.encode({b = 1 / 3, a = {}}) end,\n"
  "  function(f) return f.encode({f.array({}), f.object({}), f.raw('[1, 2]'), f.null}) end,\n"
  "  function(f) return f.encode({a = print, b = print, c = 1}, {on_error = function(_, path) return path end, sort_keys = true}) end,\n"
  "  function(f) return f.encode({'\\255', hooked}, {invalid_utf8 = 'replace', html = true, escape_slash = true}) end,\n"
  "  function() local ok, m = open_safe().encode({players = {1, {inventory = print}}}); if ok then return ok end\n"
  "    if m:find('not enough memory', 1, true) then error(m, 0) end return m end,\n"
  "  function(f) return f.info().layout end,\n"
  "  function(f) return #f.encode({objects, coroutine.wrap(function() return f.json(objects) end)()}) end,\n"
  "  function(f) return again(f, records) end,\n"
  "  function(f) return again(f, records, {layout = 'api'}) end,\n"
  "  function(f) return again(f, records, {duplicates = 'error', objects = {__jsontype = 'object'}, arrays = {__jsontype = 'array'}}) end,\n"
  "  function(f) return again(f, nested) end,\n"
  "  function(f) return again(f, waiting) end,\n"
  "  function(f) return again(f, waiting, {layout = 'api'}) end,\n"
  "  function(f) return again(f, long_array) end,\n"
  "  function(f) return parts(f, records, 700, 300) + parts(f, records, 700, 300, {layout = 'api', duplicates = 'error'}) end,\n"
  "  function(f) return parts(f, nested, 5000, 1000) + parts(f, long_array, 1e9, 9000) + parts(f, map, 7, 100, {json5 = true}) end,\n"
  "  function(f) return parts(f, waiting, 1e9, 20000) end,\n"
  "  function(f) return pieces(f, {objects, deep, long}, 20000) + pieces(f, {objects, paired, listed, hooked}, 300, {layout = 'api'}) end,\n"
  "  function(f) return pieces(f, {deep, objects}, 5000, {indent = 1, key_order = {'name'}}) end,\n"
  "  function(f) return again(f, map) end,\n"
  "  function(f) return again(f, '{\"1\":1,\"x\":\"y\"}', {numeric_keys = true}) end,\n"
  "  function(f) local ok, m = pcall(f.decode, '[1,{\"a\":1,\"a\":2}]', {duplicates = 'error'})\n"
  "    if not m:find('duplicate name', 1, true) then error(m, 0) end return m end,\n"
  "  function(f) return #f.unpack(f.pack(objects)) .. f.encode(f.unpack(f.pack(objects)), {sort_keys = true}) end,\n"
  "  function(f) local bytes = f.pack({long, objects, long, hooked, listed, '\\255'}, {invalid_utf8 = 'data'})\n"
  "    return f.encode(f.unpack(bytes)[2], {sort_keys = true}) end,\n"
  "  function(f) return f.unpack(f.pack({long, deep, long}, {layout = 'api', mode = 'compatible'}), {layout = 'api'})[3] == long end,\n"
  "  function(f) local list = {} for i = 1, 120 do list[i] = {i, 'item ' .. i, i / 7} end\n"
  "    return f.encode(f.unpack(f.pack(list))) == f.encode(list) end,\n"
  "  function(f) return #f.pack(deep) + #f.pack('text') + #f.pack(0.1) end,\n"
  "  function() local ok, m, at = open_safe().decode('[\"a\", nope]')\n"
  "    if at ~= 7 then error(m, 0) end return m end,\n"
  /* Binary. */
  "  function(f) return back(f, records) end,\n"
  "  function(f) return back(f, records, {mode = 'compatible'}) end,\n"
  "  function(f) return back(f, nested) end,\n"
  "  function(f) return back(f, map, {keys = f.keys()}) end,\n"
  "  function(f) return back(f, long_array) end,\n"
  "  function(f) return #f.to_json(f.open(f.from_json(records)), {canonical = true, indent = 2}) end,\n"
  "  function(f) local v = f.lazy(small); local n = #v.list\n"
  "    for _, x in f.pairs(v) do n = n + 1 end for _, x in f.ipairs(v.list) do n = n + x[1] end\n"
  "    return n .. v:get('list', 2, 1) .. v:pointer('/list/1/0') .. f.path('list[-1][0]')(v) end,\n"
  "  function(f) local t = {} for v, path, pointer in f.open(f.from_json(small)):walk(function() return true end) do\n"
  "    t[#t + 1] = path .. pointer end return table.concat(t) end,\n"
  "  function(f) local e = f.encoder():dict()\n"
  "    for i = 1, 40 do e:key('key ' .. i):array():integer(i * 1000):string('text'):data(f.data('x')):close() end\n"
  "    return #f.to_json(e:close():finish()) end,\n"
  "  function(f) local k = f.keys(); f.from_json(small, {keys = k}); return f.keys(k:save()):save() end,\n"
  "  function(f) local a, b = f.from_json(small), f.from_json((small:gsub('2', '3'))); local d = f.diff(a, b)\n"
  "    return f.to_json(f.patch(a, d)) == f.to_json(b) and d or error('patched wrongly', 0) end,\n"
  "  function(f) local doc = f.open(f.from_json(small)); local d = doc:amend(function(m) m.name = 'new'; m.list[1] = {5} end)\n"
  "    return f.to_json(doc.bytes .. d) end,\n"
  "  function(f) return f.encode(f.unpack(f.pack(f.decode(records))), {sort_keys = true}) == records and 1 or error('wrong', 0) end,\n"
  "  function(f) return f.encode({f.lazy(small), f.lazy(small):mutable(), f.data('x')}) end,\n"
  "  function(f) return tostring(f.lazy(small) == f.open(f.from_json(small)).root) end,\n"
  "  function() local ok, m, at = open_safe().open('7001'); if at ~= 1 and m:find('memory', 1, true) then error(m, 0) end return m end,\n"
  "  function() local ok, m, at = open_safe().lazy('[\"a\", nope]'); if at ~= 7 then error(m, 0) end return m end,\n"
  "  function(f) return f.format(records) == records and #f.format(records, {indent = 2, colors = true}) end,\n"
  "  function(f) return #f.format(records .. map, {sort_keys = true, lines = true}) end,\n"
  "  function(f) local n, at = 0, 1; f.format_stream(function() at = at + 700; return records:sub(at - 700, at - 1) end,\n"
  "    function(p) n = n + #p end, {sort_keys = true, indent = 1}) return n end,\n"
  "  function(f) return f.format('{a:\\'' .. ('x\\\\\\n'):rep(300) .. '\\',b:+.5,}', {json5 = true}) end,\n"
  "  function(f) local e = f.encoder({lines = true}):array():json(small):json(small .. small); return #e:close():finish() end,\n"
  "  function(f) return f.to_json(f.from_json(small, {lines = true}), {path = '[0].list', pointer = '/1'}) end,\n"
  "}\n"
  /* Made before the module is opened, so that its finalizer comes after the module's own when the state is closed. */
  "local module\n"
  "local function last()\n"
  "  if not module then return end\n"
  "  local doc = module.from_json(small)\n"
  "  local text = module.encode(module.unpack(module.pack({module.decode(small), module.lazy(small).list[2][2]})))\n"
  "  local t = module.to_json(module.patch(doc, module.diff(doc, module.from_json('[1]')))) .. module.format(module.json({'x'}))\n"
  "  at_close(t .. #text)\n"
  "end\n"
  "late = newproxy and newproxy(true) or setmetatable({}, {__gc = last})\n" /* before 5.2 tables have no finalizer */
  "getmetatable(late).__gc = last\n"
  "return #bodies, function(n) if n > 1 then module = open() end end,\n"
  "  function(n) return tostring(bodies[n](module)) end\n";

/* What the last finalizer got from the module. */
static int at_close(lua_State *L) {
  if (strcmp(lua_tostring(L, 1), "[1][\"x\"]76") != 0) die("wrong results while the state is closed", lua_tostring(L, 1));
  closed++;
  return 0;
}

static int prepare(lua_State *L) { /* body number on the stack -> registry: run function */
  int n = (int)lua_tointeger(L, 1);
  if (luaL_loadstring(L, script)) return lua_error(L);
  lua_pushcfunction(L, luaopen_fleece);
  lua_pushcfunction(L, luaopen_fleece_safe);
  lua_pushcfunction(L, at_close);
  lua_call(L, 3, 3);
  lua_setfield(L, LUA_REGISTRYINDEX, "alloc.run");
  lua_pushinteger(L, n);
  lua_call(L, 1, 0);
  return 1; /* the number of bodies */
}

struct call {
  int body;
  char *result; /* malloc'ed copy, NULL when it failed */
  size_t length;
};

static int run(lua_State *L) {
  struct call *call = (struct call *)lua_touserdata(L, 1);
  const char *s;
  lua_getfield(L, LUA_REGISTRYINDEX, "alloc.run");
  lua_pushinteger(L, call->body);
  lua_call(L, 1, 1);
  s = lua_tolstring(L, -1, &call->length);
  call->result = (char *)malloc(call->length + 1);
  memcpy(call->result, s, call->length + 1);
  return 0;
}

static int protected_run(lua_State *L, struct call *call) {
  int status;
  call->result = NULL;
#if LUA_VERSION_NUM == 501
  status = lua_cpcall(L, run, call);
#else
  lua_pushcfunction(L, run);
  lua_pushlightuserdata(L, call);
  status = lua_pcall(L, 1, 0, 0);
#endif
  if (status) {
    const char *message = lua_tostring(L, -1);
    if (call->result) die("a result and an error", message);
    /* "stack overflow" is what luaL_checkstack says when the stack cannot be made larger */
    if (status != LUA_ERRMEM && (!message || !(strstr(message, "not enough memory") || strstr(message, "stack overflow")))) {
      fprintf(stderr, "alloc: body %d: status %d\n", call->body, status);
      die("an error that is not about memory", message);
    }
    lua_pop(L, 1);
  }
  return status;
}

static int bodies(lua_State *L, int n) {
  int count;
  luaL_openlibs(L);
  lua_pushcfunction(L, prepare);
  lua_pushinteger(L, n);
  lua_call(L, 1, 1);
  count = (int)lua_tointeger(L, -1);
  lua_pop(L, 1);
  return count;
}

/* One body with the n-th request failing; 1 when no request was left to fail. */
static int attempt(int body, long n, int for_good, const struct call *expected) {
  struct heap heap;
  struct call call;
  lua_State *L = new_state(&heap);
  const long before = closed;
  int status, done;
  if (!L) die("no state", NULL);
  bodies(L, body);
  lua_settop(L, 0);
  call.body = body;
  heap.requests = 0;
  heap.failed = 0;
  heap.for_good = for_good;
  heap.fail_at = n;
  status = protected_run(L, &call);
  heap.fail_at = 0;
  done = !heap.failed;
  if (status && done) die("failed without a failing allocation", NULL);
  if (!status && (call.length != expected->length || memcmp(call.result, expected->result, call.length)))
    die("another result after a failed allocation", call.result);
  free(call.result);
  if (status && body > 1) { /* the same state must still work */
    if (protected_run(L, &call)) die("the call after the failed one fails too", NULL);
    if (call.length != expected->length || memcmp(call.result, expected->result, call.length))
      die("the call after the failed one gives another result", call.result);
    free(call.result);
  }
  lua_close(L);
  if (body > 1 && closed != before + 1) die("the module cannot be used while the state is closed", NULL);
  if (heap.blocks || heap.bytes) {
    fprintf(stderr, "alloc: body %d, request %ld, %s: %ld blocks, %lu bytes\n", body, n, for_good ? "for good" : "once", heap.blocks,
            (unsigned long)heap.bytes);
    die("leak", NULL);
  }
  return done;
}

int main(void) {
  struct heap heap;
  lua_State *L = new_state(&heap);
  int body, count;
  long total = 0;
  if (!L) {
    puts("alloc: skipped, this runtime refuses a custom allocator");
    return 77;
  }
  count = bodies(L, 2);
  lua_close(L);
  for (body = 1; body <= count; body++) {
    struct call expected;
    int for_good;
    L = new_state(&heap);
    bodies(L, body);
    expected.body = body;
    if (protected_run(L, &expected)) die("fails with all the memory there is", NULL);
    lua_close(L);
    if (heap.blocks) die("leak without any failure", NULL);
    for (for_good = 0; for_good <= 1; for_good++) {
      long n = 1;
      while (!attempt(body, n, for_good, &expected)) n++;
      total += n;
    }
    free(expected.result);
  }
  printf("alloc: ok, %d bodies, %ld runs with a failing allocation\n", count, total);
  return 0;
}
