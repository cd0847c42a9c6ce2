#include "store/execution_own.h"

enum lookup own_get(struct db *db, const struct own_statements *s, uint64_t execution_id, struct stmt **st)
{
    *st = db_prepare(db, s->get);
    bind_u64(*st, execution_id);
    return db_one(*st);
}

static void bind_total(struct stmt *st, uint64_t agent_id, const struct own_filter *f)
{
    bind_u64(st, agent_id);
    bind_u64(st, f->kind);
    bind_u64(st, f->kind);
    bind_u64(st, f->listed);
    bind_u64(st, f->listed);
}

static enum own_way way_of(const struct own_filter *f)
{
    if (f->listed == 0)
        return OWN_ANY;
    return f->listed == EXEC_COMPLETED ? OWN_COMPLETED : OWN_OTHERS;
}

bool own_filter_is_open(const struct own_filter *f)
{
    return f->kind == 0 && f->listed == 0 && !own_filter_counts(f);
}

bool own_filter_counts(const struct own_filter *f)
{
    return !list_filter_is_open(&f->more);
}

static void bind_filtered(struct stmt *st, uint64_t agent_id, const struct own_filter *f)
{
    bind_total(st, agent_id, f);
    bind_list_filter(st, &f->more);
}

static struct stmt *filtered_page(struct db *db, const struct own_statements *s, uint64_t agent_id,
                                  const struct own_filter *f, const struct page *p)
{
    struct stmt *st = db_prepare(db, s->filtered);

    bind_filtered(st, agent_id, f);
    bind_u64(st, p->limit);
    bind_u64(st, p->offset);
    return db_query(st) ? st : NULL;
}

struct stmt *own_page(struct db *db, const struct own_statements *s, uint64_t agent_id,
                      const struct own_filter *f, const struct page *p)
{
    bool whole = s->whole != NULL && own_filter_is_open(f);
    struct stmt *st;

    if (own_filter_counts(f))
        return filtered_page(db, s, agent_id, f, p);
    st = db_prepare(db, whole ? s->whole : s->pages[f->kind != 0][way_of(f)]);
    if (!whole)
        bind_total(st, agent_id, f);
    bind_u64(st, agent_id);
    if (f->kind != 0)
        bind_u64(st, f->kind);
    if (f->listed != 0)
        bind_u64(st, f->listed);
    bind_u64(st, p->limit);
    bind_u64(st, p->offset);
    return db_query(st) ? st : NULL;
}

bool own_count(struct db *db, const struct own_statements *s, uint64_t agent_id, const struct own_filter *f,
               uint64_t *total)
{
    struct stmt *st = db_prepare(db, own_filter_counts(f) ? s->filtered_total : s->total);

    if (own_filter_counts(f))
        bind_filtered(st, agent_id, f);
    else
        bind_total(st, agent_id, f);
    if (db_one(st) != LOOKUP_FOUND)
        return false;
    *total = col_u64(st, 0);
    return true;
}
