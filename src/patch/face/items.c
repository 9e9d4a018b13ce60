/* SPDX-License-Identifier: MIT
** items.c -- the order of an array's items that are added and removed one by one, kept beside the table.
** Must hold: as patch.h. */
#include "patch.h"

static struct mod_patch_run *mod_patch_run_of(struct json_edit_node *n) { return (struct mod_patch_run *)(void *)n; }

static struct mod_patch_run *mod_patch_make_run(struct json_edit *e, int slot, int64_t count) {
  struct mod_patch_run *run = (struct mod_patch_run *)json_edit_memory(e, sizeof *run);
  if (!run) return NULL;
  memset(run, 0, sizeof *run);
  run->node.count = run->node.weight = count;
  run->slot = slot;
  return run;
}

FL_PRIVATE struct mod_patch_items *mod_patch_make_items(struct json_edit *e, int length) {
  struct mod_patch_items *items = (struct mod_patch_items *)json_edit_memory(e, sizeof *items);
  struct mod_patch_run *run = items && length > 0 ? mod_patch_make_run(e, 1, length) : NULL;
  if (!items || (length > 0 && !run)) return NULL;
  items->used = length;
  items->runs = NULL;
  if (run) json_edit_add_node(&items->runs, NULL, &run->node, JSON_EDIT_AFTER);
  return items;
}

FL_PRIVATE int mod_patch_slot(struct mod_patch_items *items, int64_t index) {
  struct json_edit_node *n = json_edit_at(&items->runs, &index);
  return mod_patch_run_of(n)->slot + (int)index;
}

/* Returns the run that begins with the item, split off if needed. NULL if out of memory. */
static struct mod_patch_run *mod_patch_split(struct json_edit *e, struct mod_patch_items *items, int64_t index) {
  struct mod_patch_run *run = mod_patch_run_of(json_edit_at(&items->runs, &index)), *rest;
  if (index == 0) return run;
  if (!(rest = mod_patch_make_run(e, run->slot + (int)index, run->node.count - index))) return NULL;
  json_edit_recount(&items->runs, &run->node, index);
  json_edit_add_node(&items->runs, &run->node, &rest->node, JSON_EDIT_AFTER);
  return rest;
}

FL_PRIVATE int mod_patch_insert_slot(struct json_edit *e, struct mod_patch_items *items, int64_t index) {
  struct mod_patch_run *at = NULL, *run;
  if (index < mod_patch_length(items) && !(at = mod_patch_split(e, items, index))) return 0;
  if (!(run = mod_patch_make_run(e, items->used + 1, 1))) return 0;
  json_edit_add_node(&items->runs, at ? &at->node : NULL, &run->node, JSON_EDIT_BEFORE);
  return ++items->used;
}

FL_PRIVATE int mod_patch_remove_slot(struct json_edit *e, struct mod_patch_items *items, int64_t index) {
  struct mod_patch_run *run = mod_patch_split(e, items, index);
  if (!run) return 0;
  if (run->node.count == 1) {
    json_edit_take_out(&items->runs, &run->node);
  } else {
    run->slot++;
    json_edit_recount(&items->runs, &run->node, run->node.count - 1);
  }
  return 1;
}
