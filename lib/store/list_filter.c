#include "store/list_filter.h"

static void bind_thrice(struct stmt *st, const char *text)
{
    for (int i = 0; i < 3; i++)
        bind_text(st, text != NULL ? text : "");
}

void bind_list_period(struct stmt *st, const struct list_period *p)
{
    bind_ms(st, p->since_ms);
    bind_ms(st, p->until_ms);
}

void bind_list_filter(struct stmt *st, const struct list_filter *f)
{
    for (int i = 0; i < 3; i++)
        bind_u64(st, f->chain_id);
    bind_thrice(st, f->symbol);
    bind_thrice(st, f->address);
    bind_list_period(st, &f->created);
}
