/* SPDX-License-Identifier: MIT
** simdjson_time.cpp -- measures how long simdjson takes to read some fields of a text.
** Use: simdjson_time dom|ondemand FILE SECONDS SAMPLES POINTER...; the JSON pointers in the order of the text. Prints
** "version V", "bytes N", "calls N", "hex" and the values in hexadecimal digits, "ns T" per sample.
** May call: simdjson, libc.  Must hold: same clock (CPU time) and same batches as measure/rounds.lua. dom parses the
** whole text and then looks for each field; ondemand goes forward from field to field and stops at the last. */
#include <simdjson.h>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

using namespace simdjson;

static double now() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The pointers as a tree: what they share is gone through once. A node without children is a field. */
struct node {
  std::string name; /* as in the text, without escapes */
  size_t index;
  std::vector<node> children;
};

static std::string unescape(const std::string &s) {
  std::string out;
  for (size_t i = 0; i < s.size(); i++) {
    if (s[i] == '~' && i + 1 < s.size()) out += s[++i] == '1' ? '/' : '~';
    else out += s[i];
  }
  return out;
}

static void add(node &root, const std::string &pointer) {
  node *at = &root;
  for (size_t from = 1; from <= pointer.size();) {
    size_t to = std::min(pointer.find('/', from), pointer.size());
    std::string name = unescape(pointer.substr(from, to - from));
    if (at->children.empty() || at->children.back().name != name)
      at->children.push_back({name, (size_t)atol(name.c_str()), {}});
    at = &at->children.back();
    from = to + 1;
  }
}

/* The values found by one call. Strings point into the parser's memory. */
struct found {
  size_t count;
  enum { STRING, NUMBER, WORD } kind[8];
  std::string_view text[8];
  double number[8];
};

static const char *word(bool b) { return b ? "true" : "false"; }

static void keep(found &f, std::string_view s) { f.kind[f.count] = found::STRING, f.text[f.count++] = s; }
static void keep(found &f, double d) { f.kind[f.count] = found::NUMBER, f.number[f.count++] = d; }
static void keep_word(found &f, const char *s) { f.kind[f.count] = found::WORD, f.text[f.count++] = s; }

static void take(dom::element e, found &f) {
  switch (e.type()) {
  case dom::element_type::STRING: keep(f, std::string_view(e)); break;
  case dom::element_type::BOOL: keep_word(f, word(bool(e))); break;
  case dom::element_type::NULL_VALUE: keep_word(f, "null"); break;
  default: keep(f, double(e));
  }
}

static void go(ondemand::value v, const node &at, found &f) {
  switch (v.type()) {
  case ondemand::json_type::object: {
    ondemand::object o = v.get_object();
    for (const node &child : at.children) go(o.find_field(child.name), child, f);
    break;
  }
  case ondemand::json_type::array: {
    size_t i = 0, next = 0;
    ondemand::array a = v.get_array();
    for (auto item : a) {
      if (i++ != at.children[next].index) continue;
      go(item.value(), at.children[next], f);
      if (++next == at.children.size()) break;
    }
    break;
  }
  case ondemand::json_type::string: keep(f, std::string_view(v.get_string())); break;
  case ondemand::json_type::boolean: keep_word(f, word(bool(v.get_bool()))); break;
  case ondemand::json_type::null: keep_word(f, "null"); break;
  default: keep(f, double(v.get_double()));
  }
}

struct work {
  bool on_demand;
  padded_string text;
  std::vector<std::string> pointers;
  node root;
  dom::parser dom;
  ondemand::parser forward;
  found f;
};

static void call(work &w) {
  w.f.count = 0;
  if (w.on_demand) {
    ondemand::document d = w.forward.iterate(w.text);
    go(d.get_value(), w.root, w.f);
  } else {
    dom::element root = w.dom.parse(w.text);
    for (const std::string &pointer : w.pointers) take(root.at_pointer(pointer), w.f);
  }
  if (w.f.count != w.pointers.size()) exit(3);
}

static double batch(work &w, long calls) {
  double start = now();
  for (long i = 0; i < calls; i++) call(w);
  return now() - start;
}

static void show(const found &f) {
  std::string all;
  for (size_t i = 0; i < f.count; i++) {
    char number[40];
    snprintf(number, sizeof number, "%.17g", f.number[i]);
    all += (i ? "\n" : "") + (f.kind[i] == found::NUMBER ? std::string(number) : std::string(f.text[i]));
  }
  printf("hex ");
  for (unsigned char c : all) printf("%02x", c);
  printf("\n");
}

int main(int argc, char **argv) {
  if (argc < 6 || argc > 5 + 8) return 2;
  work w;
  w.on_demand = std::string(argv[1]) == "ondemand";
  w.text = padded_string::load(argv[2]);
  for (int i = 5; i < argc; i++) w.pointers.push_back(argv[i]), add(w.root, argv[i]);
  double seconds = atof(argv[3]), took;
  int samples = atoi(argv[4]);
  long calls = 1;
  while ((took = batch(w, calls)) < seconds / 4) calls *= 2;
  if (took < seconds) calls = (long)((double)calls * seconds / took) + 1;
  printf("version %s\nbytes %zu\ncalls %ld\n", SIMDJSON_STRINGIFY(SIMDJSON_VERSION), w.text.size(), calls);
  show(w.f);
  for (int i = 0; i < samples; i++) printf("ns %.1f\n", batch(w, calls) * 1e9 / (double)calls);
  return 0;
}
