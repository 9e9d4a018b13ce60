/* SPDX-License-Identifier: MIT
** uri.c -- resolves references against a base (RFC 3986, section 5.2) in linear time.
** Must hold: an empty or invalid base counts as one without a scheme. */
#include "../state.h"

/* The parts of a URI reference (RFC 3986, appendix B), by where they end. Each begins where the one before it ends. */
struct schema_uri {
  size_t scheme;    /* includes the colon */
  size_t authority; /* includes the two slashes */
  size_t path;
  size_t query; /* includes the question mark */
};

static size_t schema_uri_until(const char *s, size_t at, size_t n, const char *stops) {
  while (at < n && !(s[at] && strchr(stops, s[at]))) at++;
  return at;
}

static struct schema_uri schema_split_uri(const char *s, size_t n) {
  struct schema_uri u = {0, 0, 0, 0};
  size_t at = schema_uri_until(s, 0, n, ":/?#");
  if (at > 0 && at < n && s[at] == ':' && json_is_letter(*s)) u.scheme = at + 1;
  u.authority = u.scheme;
  if (n - u.scheme >= 2 && s[u.scheme] == '/' && s[u.scheme + 1] == '/')
    u.authority = schema_uri_until(s, u.scheme + 2, n, "/?#");
  u.path = schema_uri_until(s, u.authority, n, "?#");
  u.query = schema_uri_until(s, u.path, n, "#");
  return u;
}

static char *schema_uri_put(char *w, const char *s, size_t n) {
  if (n) memcpy(w, s, n);
  return w + n;
}

/* Removes the segments . and .. of the path [path, end), in place (section 5.2.4). Returns its new end. */
static char *schema_remove_dots(char *path, const char *end) {
  const char *p = path;
  char *w = path;
  while (p < end) {
    const char *segment = p + (*p == '/'), *stop = segment;
    size_t n;
    int dots;
    while (stop < end && *stop != '/') stop++;
    n = (size_t)(stop - segment);
    dots = (n == 1 && *segment == '.') || (n == 2 && segment[0] == '.' && segment[1] == '.') ? (int)n : 0;
    if (!dots) {
      while (p < stop) *w++ = *p++;
      continue;
    }
    if (segment == p) { /* no segment is left, so drop the slash, too */
      p = stop + (stop < end);
      continue;
    }
    if (dots == 2)
      while (w > path && *--w != '/') continue;
    if (stop == end) *w++ = '/'; /* . and .. mean a folder, which ends in a slash */
    p = stop;
  }
  return w;
}

FL_PRIVATE size_t schema_resolve_uri(const char *base, size_t base_length, const char *s, size_t n, char *to) {
  const struct schema_uri b = schema_split_uri(base, base_length), r = schema_split_uri(s, n);
  char *w = to, *path;
  if (r.scheme > 0) {
    w = schema_uri_put(w, s, r.authority);
    path = w;
    w = schema_uri_put(w, s + r.authority, r.path - r.authority);
    if (path < w && *path == '/') w = schema_remove_dots(path, w);
    return (size_t)(schema_uri_put(w, s + r.path, n - r.path) - to);
  }
  if (r.authority > 0) {
    w = schema_uri_put(w, base, b.scheme);
    w = schema_uri_put(w, s, r.authority);
    path = w;
    w = schema_remove_dots(path, schema_uri_put(w, s + r.authority, r.path - r.authority));
    return (size_t)(schema_uri_put(w, s + r.path, n - r.path) - to);
  }
  w = schema_uri_put(w, base, b.authority);
  path = w;
  if (r.path == r.authority) { /* an empty path keeps that of the base */
    w = schema_uri_put(w, base + b.authority, b.path - b.authority);
    if (r.query == r.path) w = schema_uri_put(w, base + b.path, b.query - b.path);
    return (size_t)(schema_uri_put(w, s, n) - to);
  }
  if (*s != '/') {
    size_t folder = b.path;
    while (folder > b.authority && base[folder - 1] != '/') folder--;
    w = schema_uri_put(w, base + b.authority, folder - b.authority);
    if (folder == b.authority && b.authority > b.scheme) *w++ = '/'; /* section 5.2.3 */
  }
  w = schema_uri_put(w, s, r.path);
  w = schema_remove_dots(path, w);
  return (size_t)(schema_uri_put(w, s + r.path, n - r.path) - to);
}
