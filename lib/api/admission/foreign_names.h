/* Names under which other services know what this API's calls take: exchanges and their client libraries,
 * venues, wallets, aggregators. A call refuses such a name with the member that it probably means. */
#ifndef API_ADMISSION_FOREIGN_NAMES_H
#define API_ADMISSION_FOREIGN_NAMES_H

struct foreign_name {
    const char *const *ours;   /* members of calls: the first that the call takes is meant */
    const char *const *theirs; /* both lists end with NULL; spelt in any case, with any joints */
    const char *advice;        /* where the call takes none of ours, which are refused with it too; or NULL */
};

/* The last has no names. A foreign name may be in several rows: the first that has a member of the call
 * counts. */
extern const struct foreign_name foreign_names[];

#endif
