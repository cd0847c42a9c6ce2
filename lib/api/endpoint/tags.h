/* The headings under which endpoints are listed: tags in the documents, skills on the agent card. */
#ifndef API_ENDPOINT_TAGS_H
#define API_ENDPOINT_TAGS_H

enum doc_tag_id {
    TAG_AGENTS = 1,
    TAG_DISCOVERY,
    TAG_WALLETS,
    TAG_QUOTES,
    TAG_SWAPS,
    TAG_PREDICTION,
    TAG_LENDING,
    TAG_PERPS,
    TAG_COMMANDS,
    TAG_WEBHOOKS,
    /* The operator's from here on. */
    AGENT_TAGS,
    TAG_OPERATOR_SERVICE = AGENT_TAGS,
    TAG_OPERATOR_AGENTS,
    TAG_OPERATOR_SWAPS,
    TAG_OPERATOR_TRADING,
    DOC_TAGS
};

/* What MCP lists together, and a section of llms.txt. */
enum toolset_id {
    TOOLSET_ACCOUNT = 1,
    TOOLSET_DISCOVERY,
    TOOLSET_WALLETS,
    TOOLSET_TRADE,
    TOOLSET_PREDICT,
    TOOLSET_LEND,
    TOOLSET_PERPS,
    TOOLSET_WEBHOOKS,
    TOOLSETS
};

enum doc_skill_id {
    SKILL_QUOTE = 1,
    SKILL_EXECUTE,
    SKILL_BUILD,
    SKILL_PLAIN_ENGLISH,
    SKILL_STATUS,
    SKILL_PREDICTION,
    SKILL_PREDICTION_TRADING,
    SKILL_LENDING,
    SKILL_PERPS,
    SKILL_WALLETS,
    SKILL_WITHDRAWALS,
    SKILL_TOKENS,
    SKILL_PROFILE,
    SKILL_WEBHOOKS,
    DOC_SKILLS
};

/* A section of the documents. */
struct doc_tag {
    const char *name, *about;
    enum toolset_id toolset; /* 0: the operator's */
};

struct doc_toolset {
    const char *name, *about;
};

/* A skill on the agent card; its description is made of its tools. */
struct doc_skill {
    const char *id, *name;
    const char *const *tags;
    const char *const *examples; /* sentences for POST /execute; both lists end with NULL */
};

/* In the order in which they are listed; 0 is none. */
extern const struct doc_tag doc_tags[DOC_TAGS];
extern const struct doc_toolset doc_toolsets[TOOLSETS];
extern const struct doc_skill doc_skills[DOC_SKILLS];

#endif
