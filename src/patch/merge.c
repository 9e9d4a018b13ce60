/* SPDX-License-Identifier: MIT
** merge.c -- JSON Merge Patch (RFC 7396) for texts: applies one, and finds one.
** Must hold: as texts.h. No recursion: a value points to its parent, a level to the one above it. */
#include "texts.h"

#include "../json/edit/lists.h"

/* An object of the text, and the object of the patch that is merged into it. */
struct patch_merging {
  struct patch_merging *up;
  struct json_edit_list *into;
  const struct patch_value *next; /* the next member of the patch */
};

/* Copies the text of a value of the patch without the members of objects that are null; arrays keep all. Such a member
** goes with the comma and white space before it, or, if it is the first, those after it. Returns the end. */
static char *patch_copy_merged(char *w, const struct patch_value *root) {
  const struct patch_value *v = root;
  /* start of the part not yet copied; end of the part before v that stays */
  const char *from = root->begin, *last = from;
  int is_first = 1; /* no member of v's object stays before it */
  for (;;) {
    if (v->kind == PATCH_OBJECT && v->n > 0) {
      last = v->begin + 1;
      is_first = 1;
      v = v->is.first;
      continue;
    }
    if (v != root && v->kind == PATCH_NULL) {
      memcpy(w, from, (size_t)(last - from));
      w += last - from;
      from = v->end;
      if (is_first && v->next) from = (const char *)memchr(from, ',', (size_t)(root->end - from)) + 1;
      else if (is_first) from = v->up->end - 1;
      last = from;
    } else {
      last = v->end;
      is_first = 0;
    }
    for (; v != root && !v->next; v = v->up) {
      last = v->up->end;
      is_first = 0;
    }
    if (v == root) break;
    v = v->next;
  }
  memcpy(w, from, (size_t)(root->end - from));
  return w + (root->end - from);
}

/* Returns a member that is null, in an object that is not in an array, or NULL. */
static const struct patch_value *patch_find_null(const struct patch_value *root) {
  const struct patch_value *v = root;
  while (v) {
    FL_ASSERT(!v->same || v->kind == PATCH_ARRAY);
    if (v != root && v->kind == PATCH_NULL) return v;
    v = v->kind == PATCH_OBJECT && v->n > 0 ? v->is.first : patch_next(root, v);
  }
  return NULL;
}

/* Gets the text that a value of the patch becomes where there is no object. */
static int patch_merged_text(struct json_edit *e, const struct patch_value *v, struct json_slice *text) {
  char *w = (char *)json_edit_memory(e, (size_t)(v->end - v->begin) + 1);
  if (!w) return 0;
  text->begin = w;
  text->end = w = patch_copy_merged(w, v);
  *w = 0;
  return 1;
}

/* Sets a member. piece: NULL if it is new. */
static int patch_set_member(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *piece,
                            const struct patch_value *v) {
  struct json_edit_change c = {0};
  c.indented = 1;
  c.source = v->begin;
  if (!patch_merged_text(e, v, &c.value)) return 0;
  if (piece || !l) return json_edit_set_value(e, l, piece ? piece : &e->root, &c);
  return patch_keep_name(e, v->name, v->name_length, &c.name) && json_edit_put(e, l, NULL, &c);
}

static struct patch_merging *patch_enter(struct json_edit *e, struct patch_merging *up, struct json_edit_piece *piece,
                                         const struct patch_value *patch) {
  struct patch_merging *level = (struct patch_merging *)json_edit_memory(e, sizeof *level);
  if (!level) return NULL;
  level->up = up;
  level->next = patch->is.first;
  level->into = json_edit_open(e, up ? up->into : NULL, piece);
  return level->into ? level : NULL;
}

static int patch_is_object(const struct json_edit_piece *piece) {
  return piece->list ? piece->list->is_object : *piece->value.begin == '{';
}

FL_PRIVATE int patch_merge(struct json_edit *e, const struct patch_value *patch, const struct patch_value **at) {
  struct patch_merging *level;
  *at = patch;
  if (patch->kind != PATCH_OBJECT || !patch_is_object(&e->root)) return patch_set_member(e, NULL, NULL, patch);
  if (!(level = patch_enter(e, NULL, &e->root, patch))) return 0;
  while (level) {
    const struct patch_value *v = level->next;
    struct json_edit_piece *piece;
    if (!v) {
      level = level->up;
      continue;
    }
    *at = v;
    level->next = v->next;
    if (!json_edit_find_member(e, level->into, v->name, v->name_length, &piece)) return 0;
    if (v->kind == PATCH_NULL) {
      if (piece && !json_edit_remove(e, level->into, piece)) return 0;
    } else if (v->kind == PATCH_OBJECT && piece && patch_is_object(piece)) {
      if (!(level = patch_enter(e, level, piece, v))) return 0;
    } else if (!patch_set_member(e, level->into, piece, v)) {
      return 0;
    }
  }
  return 1;
}

struct patch_differing {
  struct patch_differing *up;
  struct patch_value *a; /* members of a that b lacks come first, */
  struct patch_value *b; /* then those of b */
  char *begin;           /* where the patch's member with the changes of this level begins */
};

/* Matches the members, and begins a level, whose text begins at `begin`. */
static struct patch_differing *patch_enter_objects(struct json_edit *e, struct patch_differing *up, char *begin,
                                                   struct patch_value *a, struct patch_value *b) {
  struct patch_differing *level = (struct patch_differing *)json_edit_memory(e, sizeof *level);
  if (!level) return NULL;
  level->up = up;
  level->a = a->is.first;
  level->b = b->is.first;
  level->begin = begin;
  patch_match(a, b);
  return level;
}

static char *patch_begin_member(char *w, const struct patch_value *v) {
  w = patch_write_name(w, v->name, v->name_length);
  *w++ = ':';
  return w;
}

/* Writes the new value of a member. NULL if it cannot be set. */
static char *patch_write_new(char *w, const struct patch_value *v, const struct patch_value **null) {
  if (v->kind == PATCH_NULL) *null = v;
  else if (v->kind == PATCH_OBJECT) *null = patch_find_null(v);
  return *null ? NULL : patch_write_value(w, v);
}

static char *patch_write_merge(struct json_edit *e, char *w, struct patch_differing *level,
                               const struct patch_value **null) {
  *w++ = '{';
  while (level) {
    struct patch_value *v = level->a;
    if (v) {
      level->a = v->next;
      if (v->match) continue;
      w = patch_begin_member(w, v);
      memcpy(w, "null,", 5);
      w += 5;
    } else if ((v = level->b) != NULL) {
      struct patch_value *was = v->match;
      level->b = v->next;
      if (was && v->same == was) continue;
      if (was && was->kind == PATCH_OBJECT && v->kind == PATCH_OBJECT) {
        if (!(level = patch_enter_objects(e, level, w, was, v))) return NULL;
        w = patch_begin_member(w, v);
        *w++ = '{';
        continue;
      }
      if (was && patch_equal(was, v)) continue;
      w = patch_begin_member(w, v);
      if (!(w = patch_write_new(w, v, null))) return NULL;
      *w++ = ',';
    } else {
      if (w[-1] == '{' && level->up) {
        w = level->begin; /* nothing has changed in it */
      } else {
        w -= w[-1] == ',';
        *w++ = '}';
        *w++ = ',';
      }
      level = level->up;
    }
  }
  return w - 1;
}

FL_PRIVATE int patch_merge_diff(struct json_edit *e, struct patch_value *a, struct patch_value *b,
                                struct json_slice *text, const struct patch_value **null) {
  char *w;
  *null = NULL;
  if (a->size > SIZE_MAX / 64 || b->size > SIZE_MAX / 64) return json_edit_fail(e, JSON_EDIT_MEMORY, NULL) != NULL;
  if (!(w = (char *)json_edit_memory(e, 3 * (a->size + b->size) + 16))) return 0;
  text->begin = w;
  if (b->kind != PATCH_OBJECT) {
    w = patch_write_value(w, b);
  } else if (a->kind != PATCH_OBJECT) {
    w = patch_write_new(w, b, null);
  } else if (b->same) {
    memcpy(w, "{}", 2);
    w += 2;
  } else {
    struct patch_differing *level = patch_enter_objects(e, NULL, w, a, b);
    if (!level) return 0;
    w = patch_write_merge(e, w, level, null);
  }
  if (!w) return 0;
  *w = 0;
  text->end = w;
  return 1;
}
