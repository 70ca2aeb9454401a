#include "persons.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 256

/* What is known of a person.  Of several records that may be kept, the largest hash is the first of
 * a heap; of one, it stands in the slot. */
typedef struct slot {
  sfmi_row_hash owner;
  union {
    sfmi_row_hash one;    /* the limit is 1 */
    unsigned char at[12]; /* where the heap stands: a pointer, which need not be aligned */
  } kept;
  /* Of records, stays at UINT32_MAX; once keeping began how many more may be kept, and one; or the
   * number and one.  0: empty. */
  uint32_t count;
  uint32_t equal; /* records of the largest kept hash that may still be kept; once keeping began */
} slot;

_Static_assert(sizeof(slot) == 32 && sizeof(void *) <= 12, "32 bytes per person");

struct sfmi_persons {
  slot *slots;
  size_t capacity; /* a power of two */
  size_t used;     /* at most 7/8 of capacity */
  uint32_t limit;
  bool noted;   /* sfmi_persons_note was used */
  bool keeping; /* and then sfmi_persons_keep */
};

sfm_status sfmi_persons_create(sfmi_persons **out, uint32_t limit, sfm_error *error) {
  *out = NULL;
  sfmi_persons *persons = sfmi_alloc(1, sizeof *persons);
  if (!persons) return sfmi_fail_memory(error);
  persons->limit = limit ? limit : 1;
  persons->capacity = FIRST_CAPACITY;
  persons->slots = sfmi_alloc(persons->capacity, sizeof(slot));
  if (!persons->slots) {
    free(persons);
    return sfmi_fail_memory(error);
  }
  *out = persons;
  return SFM_OK;
}

static sfmi_row_hash *heap_of(const slot *person) {
  sfmi_row_hash *heap;
  memcpy(&heap, person->kept.at, sizeof heap);
  return heap;
}

static void set_heap(slot *person, sfmi_row_hash *heap) {
  memcpy(person->kept.at, &heap, sizeof heap);
}

static bool has_heaps(const sfmi_persons *persons) {
  return persons->noted && persons->limit > 1;
}

void sfmi_persons_destroy(sfmi_persons *persons) {
  if (!persons) return;
  for (size_t i = 0; has_heaps(persons) && i < persons->capacity; i++)
    if (persons->slots[i].count) free(heap_of(&persons->slots[i]));
  free(persons->slots);
  free(persons);
}

static int compare(const sfmi_row_hash *a, const sfmi_row_hash *b) {
  for (unsigned i = 3; i-- > 0;)
    if (a->words[i] != b->words[i]) return a->words[i] < b->words[i] ? -1 : 1;
  return 0;
}

/* The slot of that person, or the empty one where it belongs. */
static slot *find_slot(slot *slots, size_t capacity, const sfmi_row_hash *owner) {
  size_t place = ((size_t)owner->words[0] | (size_t)owner->words[1] << 32) & (capacity - 1);
  while (slots[place].count != 0 && compare(&slots[place].owner, owner) != 0)
    place = (place + 1) & (capacity - 1);
  return &slots[place];
}

static sfm_status grow(sfmi_persons *persons, sfm_error *error) {
  const size_t capacity = persons->capacity * 2;
  slot *slots = sfmi_alloc(capacity, sizeof(slot));
  if (!slots) return sfmi_fail_memory(error);
  for (size_t i = 0; i < persons->capacity; i++)
    if (persons->slots[i].count)
      *find_slot(slots, capacity, &persons->slots[i].owner) = persons->slots[i];
  free(persons->slots);
  persons->slots = slots;
  persons->capacity = capacity;
  return SFM_OK;
}

/* The slot of the person, with room for one more after it; if it is empty, it becomes the person's
 * when its count is set. */
static sfm_status slot_of(sfmi_persons *persons, slot **found, const sfmi_row_hash *owner,
                          sfm_error *error) {
  *found = find_slot(persons->slots, persons->capacity, owner);
  if ((*found)->count) return SFM_OK;
  if (persons->used + 1 > persons->capacity / 8 * 7) {
    const sfm_status status = grow(persons, error);
    if (status) return status;
    *found = find_slot(persons->slots, persons->capacity, owner);
  }
  (*found)->owner = *owner;
  persons->used++;
  return SFM_OK;
}

static void swap(sfmi_row_hash *a, sfmi_row_hash *b) {
  const sfmi_row_hash c = *a;
  *a = *b;
  *b = c;
}

/* A heap of `size` hashes gets one more, at its end. */
static void sift_up(sfmi_row_hash *heap, size_t size) {
  for (size_t i = size; i > 0 && compare(&heap[(i - 1) / 2], &heap[i]) < 0; i = (i - 1) / 2)
    swap(&heap[(i - 1) / 2], &heap[i]);
}

/* The first of a heap of `size` hashes was replaced by a smaller one. */
static void sift_down(sfmi_row_hash *heap, size_t size) {
  for (size_t i = 0, child; (child = 2 * i + 1) < size; i = child) {
    if (child + 1 < size && compare(&heap[child], &heap[child + 1]) < 0) child++;
    if (compare(&heap[i], &heap[child]) >= 0) break;
    swap(&heap[i], &heap[child]);
  }
}

static size_t kept_of(const sfmi_persons *persons, const slot *person) {
  return person->count < persons->limit ? person->count : persons->limit;
}

/* One more hash for a heap that is not full: room doubles. */
static sfm_status push(const sfmi_persons *persons, slot *person, const sfmi_row_hash *order,
                       sfm_error *error) {
  const size_t size = person->count;
  sfmi_row_hash *heap = size ? heap_of(person) : NULL;
  if ((size & (size - 1)) == 0) {
    size_t room = size ? 2 * size : 1;
    if (room > persons->limit) room = persons->limit;
    sfmi_row_hash *larger = realloc(heap, room * sizeof *heap);
    if (!larger) return sfmi_fail_memory(error);
    heap = larger;
    set_heap(person, heap);
  }
  heap[size] = *order;
  sift_up(heap, size);
  return SFM_OK;
}

sfm_status sfmi_persons_note(sfmi_persons *persons, const sfmi_row_hash *owner,
                             const sfmi_row_hash *order, sfm_error *error) {
  slot *person = NULL;
  sfm_status status = slot_of(persons, &person, owner, error);
  persons->noted = true;
  if (status) return status;
  if (persons->limit == 1) {
    if (person->count == 0 || compare(order, &person->kept.one) < 0) person->kept.one = *order;
  } else if (person->count < persons->limit) {
    status = push(persons, person, order, error);
    if (status && person->count == 0) persons->used--;
    if (status) return status;
  } else if (compare(order, heap_of(person)) < 0) {
    heap_of(person)[0] = *order;
    sift_down(heap_of(person), persons->limit);
  }
  if (person->count < UINT32_MAX) person->count++;
  return SFM_OK;
}

/* How many records of a person may be kept, and how many of them have the largest hash. */
static void begin_keeping(sfmi_persons *persons) {
  persons->keeping = true;
  for (size_t i = 0; i < persons->capacity; i++) {
    slot *person = &persons->slots[i];
    if (person->count == 0) continue;
    person->equal = persons->limit == 1;
    for (size_t k = 0; persons->limit > 1 && k < kept_of(persons, person); k++)
      person->equal += compare(&heap_of(person)[k], heap_of(person)) == 0;
    person->count = (uint32_t)kept_of(persons, person) + 1;
  }
}

bool sfmi_persons_keep(sfmi_persons *persons, const sfmi_row_hash *owner,
                       const sfmi_row_hash *order) {
  if (!persons->keeping) begin_keeping(persons);
  slot *person = find_slot(persons->slots, persons->capacity, owner);
  if (person->count <= 1) return false;
  const sfmi_row_hash *largest = persons->limit == 1 ? &person->kept.one : heap_of(person);
  const int order_is = compare(order, largest);
  if (order_is > 0 || (order_is == 0 && person->equal == 0)) return false;
  if (order_is == 0) person->equal--;
  person->count--;
  return true;
}

sfm_status sfmi_persons_count(sfmi_persons *persons, uint32_t *before, const sfmi_row_hash *owner,
                              sfm_error *error) {
  slot *person = NULL;
  *before = 0;
  const sfm_status status = slot_of(persons, &person, owner, error);
  if (status) return status;
  *before = person->count;
  if (person->count < UINT32_MAX) person->count++;
  return SFM_OK;
}

sfm_status sfmi_persons_number(sfmi_persons *persons, uint32_t *number, const sfmi_row_hash *owner,
                               sfm_error *error) {
  slot *person = NULL;
  *number = 0;
  const sfm_status status = slot_of(persons, &person, owner, error);
  if (status) return status;
  if (persons->used >= UINT32_MAX) return sfmi_fail_memory(error);
  if (person->count == 0) person->count = (uint32_t)persons->used;
  *number = person->count - 1;
  return SFM_OK;
}

sfmi_person_counts sfmi_persons_summary(const sfmi_persons *persons) {
  sfmi_person_counts counts = {.persons = persons->used};
  for (size_t i = 0; i < persons->capacity; i++) {
    const uint32_t count = persons->slots[i].count;
    if (count <= persons->limit) continue;
    counts.persons_over++;
    counts.records_over += count - persons->limit;
  }
  return counts;
}
