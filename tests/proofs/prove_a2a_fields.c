/* text_read, flag_read, scheme_read of a2a_message.c
 * @bounds all messages, with members of any kind and texts up to 3 bytes
 * @shows no access to what is not there; a text that is taken is not empty and visible, without a line end in
 * it
 * @unwind 12
 * @options --unwindset strchr.0:4
 * @with tests/proofs/json.c
 */
#include "bytewise.h"

#include "agentproto/a2a_message.c"
#include "proof.h"

json_t *json_any(void);

const struct err *a2a_bad(struct arena *a, const char *field, const char *what)
{
    static const struct err bad = { .status = 400 };

    (void)a;
    MUST(field != NULL && what != NULL);
    return &bad;
}

/* The same value as the only member. */
json_t *json_pack(const char *form, ...)
{
    (void)form;
    return json_any();
}

void harness(void)
{
    const json_t *message = json_any();
    const char *text = NULL;
    bool flag = false;

    if (text_read(&text, message, "id", 2, "", NULL) == NULL && text != NULL) {
        MUST(text[0] != '\0' && strlen(text) <= 2);
        for (size_t i = 0; text[i] != '\0'; i++)
            MUST(text[i] > ' ' && text[i] <= '~');
    }
    if (flag_read(&flag, message, "blocking", NULL) != NULL)
        MUST(!flag);
}
