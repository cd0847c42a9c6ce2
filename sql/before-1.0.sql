-- The schema before release 1.0.0: its migrations, as far as they are missing in a database that was made by them, and the renames
-- that lead to 001_schema.sql. schema-migrate applies them once; "-- migration" begins each.

-- migration 001_agents.sql
-- oldest 1
CREATE TABLE IF NOT EXISTS agents (
    id                BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY COMMENT 'inside; agents see the uuid',
    uuid              BINARY(16)      NOT NULL,
    key_hash          BINARY(32)      NOT NULL COMMENT 'SHA-256 of the API key, which has 256 random bits',
    status            TINYINT UNSIGNED NOT NULL DEFAULT 1 COMMENT '1 active, 2 deactivated',
    name              VARCHAR(100)    NOT NULL,
    description       VARCHAR(500)    NULL,
    tier              VARCHAR(32)     CHARACTER SET ascii NOT NULL DEFAULT 'standard',
    callback_url      VARCHAR(500)    NULL,
    webhook_secret    VARBINARY(128)  NULL COMMENT 'sealed under the service key',
    former_secret     VARBINARY(128)  NULL COMMENT 'signs too until former_until',
    former_until      DATETIME(3)     NULL,
    metadata          MEDIUMTEXT      NULL COMMENT 'a JSON object of the agent''s own',
    total_requests    BIGINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'folded in from shared memory',
    swaps_pending     BIGINT          NOT NULL DEFAULT 0 COMMENT 'kept totals by the status that lists show',
    swaps_submitted   BIGINT          NOT NULL DEFAULT 0,
    swaps_completed   BIGINT          NOT NULL DEFAULT 0,
    swaps_failed      BIGINT          NOT NULL DEFAULT 0,
    created_at        DATETIME(3)     NOT NULL,
    last_active_at    DATETIME(3)     NOT NULL,
    UNIQUE KEY (uuid),
    UNIQUE KEY (key_hash)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 002_wallets.sql
-- oldest 2
CREATE TABLE IF NOT EXISTS wallets (
    id          BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT PRIMARY KEY,
    uuid        BINARY(16)       NOT NULL COMMENT 'what the sealed key is bound to',
    agent_id    BIGINT UNSIGNED  NOT NULL,
    agent_uuid  BINARY(16)       NOT NULL COMMENT 'likewise; kept so that a purge can still cancel',
    kind        TINYINT UNSIGNED NOT NULL COMMENT '1 EVM, 2 Solana',
    address     VARCHAR(64)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'EIP-55 or Base58',
    sealed_key  VARBINARY(128)   NOT NULL COMMENT 'only the signer can open it',
    created_at  DATETIME(3)      NOT NULL,
    UNIQUE KEY (uuid),
    UNIQUE KEY (kind, address),
    KEY (agent_id, kind, id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 003_wallet_nonces.sql
-- oldest 3
CREATE TABLE IF NOT EXISTS wallet_nonces (
    wallet_id   BIGINT UNSIGNED NOT NULL,
    chain_id    BIGINT UNSIGNED NOT NULL,
    next_nonce  BIGINT UNSIGNED NOT NULL COMMENT 'lowest nonce that was never committed here',
    PRIMARY KEY (wallet_id, chain_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 004_quotes.sql
-- oldest 4
CREATE TABLE IF NOT EXISTS quotes (
    id             BINARY(16)       NOT NULL PRIMARY KEY COMMENT '128 random bits',
    agent_id       BIGINT UNSIGNED  NOT NULL,
    provider       VARCHAR(32)      CHARACTER SET ascii NOT NULL,
    from_chain     BIGINT UNSIGNED  NOT NULL,
    to_chain       BIGINT UNSIGNED  NOT NULL,
    from_symbol    VARCHAR(32)      NOT NULL,
    from_address   VARCHAR(64)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    from_decimals  TINYINT UNSIGNED NOT NULL,
    to_symbol      VARCHAR(32)      NOT NULL,
    to_address     VARCHAR(64)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    to_decimals    TINYINT UNSIGNED NOT NULL,
    amount_in      BINARY(32)       NOT NULL COMMENT 'smallest units, big-endian',
    amount_out     BINARY(32)       NOT NULL,
    min_out        BINARY(32)       NOT NULL COMMENT 'what was promised after slippage',
    slippage_ppm   INT UNSIGNED     NOT NULL,
    gas_units      BIGINT UNSIGNED  NOT NULL,
    route          VARBINARY(512)   NOT NULL COMMENT 'the provider''s own: how to build the transaction',
    wallet_address VARCHAR(64)      CHARACTER SET ascii COLLATE ascii_bin NULL COMMENT 'named by the request',
    created_at     DATETIME(3)      NOT NULL,
    expires_at     DATETIME(3)      NOT NULL,
    consumed_at    DATETIME(3)      NULL COMMENT 'taken by an accepted execute',
    KEY (expires_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 005_swaps.sql
-- oldest 5
CREATE TABLE IF NOT EXISTS swaps (
    id             BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT PRIMARY KEY,
    agent_id       BIGINT UNSIGNED  NOT NULL,
    wallet_id      BIGINT UNSIGNED  NOT NULL,
    quote_id       BINARY(16)       NOT NULL COMMENT 'one quote, one swap',
    provider       VARCHAR(32)      CHARACTER SET ascii NOT NULL,
    status         TINYINT UNSIGNED NOT NULL COMMENT '1 pending 2 submitted 3 processing 4 completed 5 failed 6 expired',
    listed         TINYINT UNSIGNED AS (CASE status WHEN 3 THEN 1 WHEN 6 THEN 5 ELSE status END) STORED
                                    COMMENT 'the status as lists and filters know it',
    in_flight      TINYINT UNSIGNED NOT NULL DEFAULT 1 COMMENT 'until settle depth',
    from_chain     BIGINT UNSIGNED  NOT NULL,
    to_chain       BIGINT UNSIGNED  NOT NULL,
    from_symbol    VARCHAR(32)      NOT NULL,
    from_address   VARCHAR(64)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    from_decimals  TINYINT UNSIGNED NOT NULL,
    to_symbol      VARCHAR(32)      NOT NULL,
    to_address     VARCHAR(64)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    to_decimals    TINYINT UNSIGNED NOT NULL,
    amount_in      BINARY(32)       NOT NULL,
    expected_out   BINARY(32)       NOT NULL,
    min_out        BINARY(32)       NOT NULL,
    amount_out     BINARY(32)       NULL COMMENT 'what arrived, read from the receipt',
    tx_hash        VARBINARY(64)    NULL COMMENT 'once a node accepted it',
    error_code     VARCHAR(40)      CHARACTER SET ascii NULL,
    error_message  VARCHAR(200)     NULL,
    created_at     DATETIME(3)      NOT NULL,
    updated_at     DATETIME(3)      NOT NULL,
    completed_at   DATETIME(3)      NULL,
    valid_until    DATETIME(3)      NOT NULL COMMENT 'after it nothing of this swap is offered any more',
    next_poll_at   DATETIME(3)      NOT NULL,
    lease_owner    BINARY(16)       NULL,
    lease_until    DATETIME(3)      NULL,
    UNIQUE KEY (quote_id),
    KEY agent_page (agent_id, id),
    KEY agent_listed_page (agent_id, listed, id),
    KEY due (in_flight, next_poll_at),
    KEY leased (lease_owner)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 006_transactions.sql
-- oldest 6
CREATE TABLE IF NOT EXISTS transactions (
    id            BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT PRIMARY KEY,
    swap_id       BIGINT UNSIGNED  NOT NULL,
    wallet_id     BIGINT UNSIGNED  NOT NULL,
    chain_id      BIGINT UNSIGNED  NOT NULL,
    nonce         BIGINT UNSIGNED  NOT NULL,
    kind          TINYINT UNSIGNED NOT NULL COMMENT '1 approval 2 swap 3 cancel 4 bridge_in 5 bridge_out',
    state         TINYINT UNSIGNED NOT NULL COMMENT '1 open 2 in a block 3 settled 4 lost: another took the nonce',
    hash          BINARY(32)       NOT NULL,
    raw           MEDIUMBLOB       NOT NULL COMMENT 'signed bytes; sent again as they are',
    gas_limit     BIGINT UNSIGNED  NOT NULL,
    max_fee       BINARY(32)       NOT NULL COMMENT 'wei per gas',
    priority_fee  BINARY(32)       NOT NULL,
    value         BINARY(32)       NOT NULL COMMENT 'wei',
    token         BINARY(20)       NULL COMMENT 'what it spends or allows beside wei',
    token_amount  BINARY(32)       NULL,
    spender       BINARY(20)       NULL,
    block_number  BIGINT UNSIGNED  NULL COMMENT 'while it is in a block',
    succeeded     TINYINT UNSIGNED NULL,
    offers        INT UNSIGNED     NOT NULL DEFAULT 0 COMMENT 'times given to a node',
    accepted      TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'a node took it at least once',
    refusals      INT UNSIGNED     NOT NULL DEFAULT 0 COMMENT 'refused for good, as nodes say',
    offered_at    DATETIME(3)      NULL,
    created_at    DATETIME(3)      NOT NULL,
    UNIQUE KEY (hash),
    KEY (swap_id),
    KEY open_nonces (wallet_id, chain_id, state, nonce)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 007_swap_history.sql
-- oldest 7
CREATE TABLE IF NOT EXISTS swap_history (
    id           BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT PRIMARY KEY,
    swap_id      BIGINT UNSIGNED  NOT NULL,
    from_status  TINYINT UNSIGNED NOT NULL COMMENT '0: it came into being',
    to_status    TINYINT UNSIGNED NOT NULL,
    why          VARCHAR(200)     NOT NULL,
    created_at   DATETIME(3)      NOT NULL,
    KEY (swap_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 008_webhook_events.sql
-- oldest 8
CREATE TABLE IF NOT EXISTS webhook_events (
    seq              BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT PRIMARY KEY,
    id               BINARY(16)       NOT NULL COMMENT 'webhook-id of every attempt',
    agent_id         BIGINT UNSIGNED  NOT NULL,
    event_type       VARCHAR(40)      CHARACTER SET ascii NOT NULL,
    status           TINYINT UNSIGNED NOT NULL COMMENT '1 pending 2 delivered 3 failed',
    attempts         INT UNSIGNED     NOT NULL DEFAULT 0,
    last_error       VARCHAR(200)     NULL,
    response_status  SMALLINT UNSIGNED NULL,
    callback_url     VARCHAR(500)     NOT NULL COMMENT 'as it was at the time of the event',
    body             MEDIUMTEXT       NOT NULL COMMENT 'the bytes that are signed and sent',
    created_at       DATETIME(3)      NOT NULL,
    delivered_at     DATETIME(3)      NULL,
    next_at          DATETIME(3)      NOT NULL,
    lease_owner      BINARY(16)       NULL,
    lease_until      DATETIME(3)      NULL,
    UNIQUE KEY (id),
    KEY agent_page (agent_id, seq),
    KEY agent_status_page (agent_id, status, seq),
    KEY agent_type_page (agent_id, event_type, status, seq),
    KEY due (status, next_at, seq),
    KEY leased (lease_owner)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 009_event_totals.sql
-- oldest 9
CREATE TABLE IF NOT EXISTS event_totals (
    agent_id    BIGINT UNSIGNED  NOT NULL,
    event_type  VARCHAR(40)      CHARACTER SET ascii NOT NULL,
    status      TINYINT UNSIGNED NOT NULL,
    n           BIGINT           NOT NULL COMMENT 'kept, so that no page counts rows',
    PRIMARY KEY (agent_id, event_type, status)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 010_idempotency.sql
-- oldest 10
CREATE TABLE IF NOT EXISTS idempotency (
    agent_id     BIGINT UNSIGNED   NOT NULL,
    scope        BINARY(32)        NOT NULL COMMENT 'SHA-256 of method, path and the key that was sent',
    fingerprint  BINARY(32)        NOT NULL COMMENT 'SHA-256 of the body',
    owner        BINARY(16)        NOT NULL COMMENT 'the run that may record its answer',
    lease_until  DATETIME(3)       NOT NULL COMMENT 'running until then; afterwards recorded, or to be run again',
    status       SMALLINT UNSIGNED NULL COMMENT 'of the recorded answer',
    body         MEDIUMTEXT        NULL COMMENT 'likewise',
    expires_at   DATETIME(3)       NOT NULL COMMENT 'then the key is free again',
    PRIMARY KEY (agent_id, scope),
    KEY (expires_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 011_purges.sql
-- oldest 11
CREATE TABLE IF NOT EXISTS purges (
    agent_id    BIGINT UNSIGNED NOT NULL PRIMARY KEY COMMENT 'an agent that was deleted',
    created_at  DATETIME(3)     NOT NULL,
    next_at     DATETIME(3)     NOT NULL COMMENT 'moved on by whoever works on it, as a lease',
    KEY (next_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 012_quotes_by_agent.sql
-- oldest 12
ALTER TABLE quotes ADD KEY by_agent (agent_id);

-- migration 013_trading_stops.sql
-- oldest 13
CREATE TABLE IF NOT EXISTS trading_stops (
    agent_id    BIGINT UNSIGNED  NOT NULL PRIMARY KEY COMMENT '0: all agents; this row always exists, as the lock',
    stopped     TINYINT UNSIGNED NOT NULL,
    changed_at  DATETIME(3)      NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 014_trading_stop_of_all.sql
-- oldest 14
INSERT IGNORE INTO trading_stops (agent_id, stopped, changed_at) VALUES (0, 0, UTC_TIMESTAMP(3));

-- migration 015_event_queues.sql
-- oldest 15
CREATE TABLE IF NOT EXISTS event_queues (
    agent_id  BIGINT UNSIGNED NOT NULL PRIMARY KEY,
    next_at   DATETIME(3)     NOT NULL COMMENT 'nothing of the agent can be claimed before; never too late, at most too early',
    KEY due (next_at, agent_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
SELECT agent_id, MIN(next_at) AS next_at FROM webhook_events WHERE status = 1 GROUP BY agent_id;

-- migration 016_event_leases.sql
-- oldest 16
ALTER TABLE webhook_events
    DROP KEY leased,
    ADD KEY leased (agent_id, status, lease_until, next_at, seq);

-- migration 017_trading_lanes.sql
-- oldest 17
CREATE TABLE IF NOT EXISTS trading_lanes (
    lane    TINYINT UNSIGNED NOT NULL PRIMARY KEY COMMENT 'agents by the remainder of their id; in a cluster each trade writes its own, a stop all',
    passed  BIGINT UNSIGNED  NOT NULL DEFAULT 0
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 018_trading_lanes_all.sql
-- oldest 18
INSERT IGNORE INTO trading_lanes (lane) VALUES
    (0), (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12), (13), (14), (15),
    (16), (17), (18), (19), (20), (21), (22), (23), (24), (25), (26), (27), (28), (29), (30), (31),
    (32), (33), (34), (35), (36), (37), (38), (39), (40), (41), (42), (43), (44), (45), (46), (47),
    (48), (49), (50), (51), (52), (53), (54), (55), (56), (57), (58), (59), (60), (61), (62), (63);

-- migration 019_event_queue_wakes.sql
-- oldest 19
ALTER TABLE event_queues ADD COLUMN wakes BIGINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'counted so that each wake writes the row: in a cluster only writes collide';

-- migration 020_tasks.sql
-- oldest 20
CREATE TABLE IF NOT EXISTS tasks (
    seq          BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT PRIMARY KEY,
    id           BINARY(16)       NOT NULL,
    agent_id     BIGINT UNSIGNED  NOT NULL,
    context_id   VARCHAR(128)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    operation    VARCHAR(64)      CHARACTER SET ascii NOT NULL COMMENT 'by its tool name',
    state        TINYINT UNSIGNED NOT NULL COMMENT '1 submitted 2 working 3 input-required 4 completed 5 failed 6 rejected 7 canceled; with a swap the swap says it',
    swap_id      BIGINT UNSIGNED  NULL COMMENT 'written by the transaction that commits the swap',
    note         VARCHAR(500)     NULL COMMENT 'the sentence of its status',
    answer       MEDIUMTEXT       NULL COMMENT 'what REST would have answered, without secrets',
    run          BINARY(16)       NOT NULL COMMENT 'the request that may record the answer',
    lease_until  DATETIME(3)      NOT NULL COMMENT 'of a submitted task: afterwards its message may be run again',
    created_at   DATETIME(3)      NOT NULL,
    updated_at   DATETIME(3)      NOT NULL COMMENT 'of its state',
    UNIQUE KEY (id),
    KEY agent_changed (agent_id, swap_id, updated_at, seq),
    KEY swap (swap_id),
    KEY changed (updated_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 021_task_messages.sql
-- oldest 21
CREATE TABLE IF NOT EXISTS task_messages (
    seq          BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    agent_id     BIGINT UNSIGNED NOT NULL,
    task_seq     BIGINT UNSIGNED NOT NULL,
    message      BINARY(32)      NOT NULL COMMENT 'SHA-256 of its messageId: done once for each agent',
    fingerprint  BINARY(32)      NOT NULL COMMENT 'SHA-256 of all that it asks for',
    body         MEDIUMTEXT      NOT NULL,
    created_at   DATETIME(3)     NOT NULL,
    UNIQUE KEY (agent_id, message),
    KEY (task_seq, seq),
    KEY (created_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 022_task_pushes.sql
-- oldest 22
CREATE TABLE IF NOT EXISTS task_pushes (
    seq         BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT PRIMARY KEY,
    agent_id    BIGINT UNSIGNED  NOT NULL,
    task_seq    BIGINT UNSIGNED  NOT NULL,
    config_id   VARCHAR(128)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    version     TINYINT UNSIGNED NOT NULL COMMENT 'of A2A, in whose words it is told: 3 or 10',
    url         VARCHAR(500)     NOT NULL,
    scheme      VARCHAR(32)      CHARACTER SET ascii NULL COMMENT 'of its authentication',
    headers     VARBINARY(2200)  NOT NULL COMMENT 'sealed: token and credentials are in it',
    created_at  DATETIME(3)      NOT NULL,
    UNIQUE KEY (task_seq, config_id),
    KEY (agent_id),
    KEY (created_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 023_event_headers.sql
-- oldest 23
ALTER TABLE webhook_events
    ADD COLUMN headers VARBINARY(2200) NULL COMMENT 'sealed: those of a push notification, whose URL is its own and not the agent''s callback';

-- migration 024_policies.sql
-- oldest 24
CREATE TABLE IF NOT EXISTS policies (
    id           BINARY(16)       NOT NULL PRIMARY KEY,
    agent_id     BIGINT UNSIGNED  NOT NULL,
    wallet_id    BIGINT UNSIGNED  NULL COMMENT 'NULL: each wallet of the agent, for itself',
    by_operator  TINYINT UNSIGNED NOT NULL COMMENT 'which the agent cannot delete',
    type         TINYINT UNSIGNED NOT NULL COMMENT '1 spending_limit 2 approval_limit 3 whitelist 4 execution_limit',
    params       TEXT             NOT NULL COMMENT 'a JSON object, checked when it was written and again when it is read',
    created_at   DATETIME(3)      NOT NULL COMMENT 'sums begin here',
    ends_at      DATETIME(3)      NULL COMMENT 'deleted, but in force until then',
    KEY (agent_id, created_at),
    KEY (ends_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 025_spends.sql
-- oldest 25
CREATE TABLE IF NOT EXISTS spends (
    swap_id     BIGINT UNSIGNED NOT NULL PRIMARY KEY COMMENT 'a swap signed while a policy of its wallet was in force',
    agent_id    BIGINT UNSIGNED NOT NULL,
    wallet_id   BIGINT UNSIGNED NOT NULL,
    usd         BINARY(32)      NULL COMMENT 'what was given, as valued then, 18 places; NULL: no policy asked for it',
    ether       BINARY(32)      NULL COMMENT 'likewise, in wei',
    created_at  DATETIME(3)     NOT NULL,
    KEY (wallet_id, created_at),
    KEY (agent_id),
    KEY (created_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 026_approvals.sql
-- oldest 26
CREATE TABLE IF NOT EXISTS approvals (
    id            BINARY(16)       NOT NULL PRIMARY KEY COMMENT '128 random bits, shown as ap_ and hex digits',
    agent_id      BIGINT UNSIGNED  NOT NULL,
    swap_id       BIGINT UNSIGNED  NOT NULL COMMENT 'the terms: a pending swap of which nothing is signed yet',
    state         TINYINT UNSIGNED NOT NULL COMMENT '1 waiting 2 granted 3 denied 4 used 5 lapsed',
    slippage_ppm  INT UNSIGNED     NOT NULL COMMENT 'as quoted, for the new quote',
    why           VARCHAR(300)     NOT NULL COMMENT 'the policy that wants it, in words',
    created_at    DATETIME(3)      NOT NULL,
    expires_at    DATETIME(3)      NOT NULL,
    UNIQUE KEY (swap_id),
    KEY (agent_id, state),
    KEY (state, created_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 027_audit.sql
-- oldest 27
CREATE TABLE IF NOT EXISTS audit (
    host  VARCHAR(64)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'each host has a chain of its own',
    seq   BIGINT UNSIGNED NOT NULL COMMENT 'from 1, without gaps',
    line  TEXT            NOT NULL COMMENT 'JSON with the hash of the line before',
    PRIMARY KEY (host, seq)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 028_audit_heads.sql
-- oldest 28
CREATE TABLE IF NOT EXISTS audit_heads (
    host  VARCHAR(64)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    seq   BIGINT UNSIGNED NOT NULL COMMENT 'of the last line; 0: none yet',
    hash  BINARY(32)      NOT NULL COMMENT 'of the last line'
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 029_wallet_turns.sql
-- oldest 29
ALTER TABLE wallets ADD COLUMN turn BIGINT UNSIGNED NOT NULL DEFAULT 0
    COMMENT 'moved by whoever sums or changes policies: so two nodes of a cluster notice each other';

-- migration 030_quotes_max_impact.sql
-- oldest 29
ALTER TABLE quotes ADD COLUMN max_impact_ppm INT UNSIGNED NOT NULL DEFAULT 4294967295
    COMMENT 'price impact that the agent allows; 4294967295: none was named, and what the operator allows counts';

-- migration 031_taken_nonces.sql
-- oldest 29
CREATE TABLE IF NOT EXISTS taken_nonces (
    wallet_id  BIGINT UNSIGNED NOT NULL,
    chain_id   BIGINT UNSIGNED NOT NULL,
    nonce      BIGINT UNSIGNED NOT NULL COMMENT 'the chain counts it as used, and no receipt of ours says by what',
    top        BIGINT UNSIGNED NOT NULL COMMENT 'the block where the search began',
    span       BIGINT UNSIGNED NOT NULL COMMENT 'blocks to search before it begins anew, further up',
    block      BIGINT UNSIGNED NOT NULL COMMENT 'the next one to look into, or where it was found',
    hash       BINARY(32)      NULL COMMENT 'of the transaction that was found with the nonce',
    PRIMARY KEY (wallet_id, chain_id, nonce)
) ENGINE=InnoDB;

-- migration 032_swap_corrections.sql
-- oldest 29
ALTER TABLE swaps
    ADD COLUMN corrected TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'a failure that had been told was taken back';

-- migration 033_webhook_events_redelivered.sql
-- oldest 29
ALTER TABLE webhook_events ADD COLUMN attempts_before INT UNSIGNED NOT NULL DEFAULT 0
    COMMENT 'attempts made before the last redelivery: pauses and their number count from there';

-- migration 034_agents_updated.sql
-- oldest 29
ALTER TABLE agents ADD COLUMN updated_at DATETIME(3) NULL COMMENT 'when profile, tier or state changed; NULL: never since it was registered';

-- migration 035_quotas.sql
-- oldest 29
CREATE TABLE IF NOT EXISTS quotas (
    agent_id     BIGINT UNSIGNED NOT NULL PRIMARY KEY,
    turn         BIGINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'moved by whoever adds to what the agent stores: so they come one after the other, on a cluster too',
    audit_day    DATE            NULL,
    audit_lines  INT UNSIGNED    NOT NULL DEFAULT 0 COMMENT 'that the agent caused on that day'
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 036_task_bytes.sql
-- oldest 29
ALTER TABLE tasks ADD COLUMN bytes INT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'what it counts for among all that the agent stores; room for its answer while there is none',
    ADD KEY agent_bytes (agent_id, bytes);

-- migration 037_task_message_bytes.sql
-- oldest 29
ALTER TABLE task_messages ADD COLUMN bytes INT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'as in tasks',
    ADD KEY agent_bytes (agent_id, bytes);

-- migration 038_idempotency_bytes.sql
-- oldest 29
ALTER TABLE idempotency ADD COLUMN bytes INT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'as in tasks',
    ADD KEY agent_bytes (agent_id, bytes);

-- migration 039_count_tasks.sql
-- oldest 29
UPDATE tasks SET bytes = 640 + COALESCE(LENGTH(note), 0) + COALESCE(LENGTH(answer), 0) WHERE bytes = 0;

-- migration 040_count_task_messages.sql
-- oldest 29
UPDATE task_messages SET bytes = 256 + LENGTH(body) WHERE bytes = 0;

-- migration 041_count_idempotency.sql
-- oldest 29
UPDATE idempotency SET bytes = 256 + COALESCE(LENGTH(body), 0) WHERE bytes = 0;

-- migration 042_events_by_age.sql
-- oldest 29
ALTER TABLE webhook_events ADD KEY created (created_at);

-- migration 043_transaction_answers.sql
-- oldest 29
ALTER TABLE transactions
    ADD COLUMN said TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'a node, the last time: 1 taken 2 bids too little 3 no funds 4 refused for good';

-- migration 044_approval_decisions.sql
-- oldest 29
ALTER TABLE approvals
    ADD COLUMN decided_at DATETIME(3) NULL COMMENT 'granted or denied, whichever came last',
    ADD KEY agent_page (agent_id, created_at, id),
    ADD KEY agent_state_page (agent_id, state, created_at, id);

-- migration 045_approval_totals.sql
-- oldest 29
CREATE TABLE IF NOT EXISTS approval_totals (
    agent_id  BIGINT UNSIGNED  NOT NULL,
    state     TINYINT UNSIGNED NOT NULL,
    n         BIGINT           NOT NULL COMMENT 'kept, so that no page counts rows',
    PRIMARY KEY (agent_id, state)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 046_approval_totals_so_far.sql
-- oldest 46
INSERT INTO approval_totals (agent_id, state, n)
    SELECT agent_id, state, COUNT(*) FROM approvals GROUP BY agent_id, state
    ON DUPLICATE KEY UPDATE n = VALUES(n);

-- migration 047_executions.sql
-- oldest 46
CREATE TABLE IF NOT EXISTS executions (
    id             BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT PRIMARY KEY,
    agent_id       BIGINT UNSIGNED  NOT NULL,
    wallet_id      BIGINT UNSIGNED  NOT NULL,
    kind           TINYINT UNSIGNED NOT NULL COMMENT '1 swap 2 transfer',
    in_swaps       TINYINT UNSIGNED AS (kind = 1) STORED COMMENT 'GET /swaps lists it, and GET /me counts it',
    venue          VARCHAR(32)      CHARACTER SET ascii NOT NULL COMMENT 'who carries it out',
    once           BINARY(16)       NOT NULL COMMENT 'the quote or approval that it consumed, else random: nothing is carried out twice',
    status         TINYINT UNSIGNED NOT NULL COMMENT '1 pending 2 submitted 3 processing 4 completed 5 failed 6 expired',
    listed         TINYINT UNSIGNED AS (CASE status WHEN 3 THEN 1 WHEN 6 THEN 5 ELSE status END) STORED
                                    COMMENT 'the status as lists and filters know it',
    in_flight      TINYINT UNSIGNED NOT NULL DEFAULT 1 COMMENT '0 settled 1 until settle depth 2 to be looked at once more',
    corrected      TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'a failure that had been announced was taken back',
    from_chain     BIGINT UNSIGNED  NOT NULL,
    from_symbol    VARCHAR(32)      NOT NULL,
    from_address   VARCHAR(160)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    from_decimals  TINYINT UNSIGNED NOT NULL,
    amount_in      BINARY(32)       NOT NULL,
    to_chain       BIGINT UNSIGNED  NULL COMMENT 'this and what follows: NULL where nothing is to arrive',
    to_symbol      VARCHAR(32)      NULL,
    to_address     VARCHAR(160)     CHARACTER SET ascii COLLATE ascii_bin NULL,
    to_decimals    TINYINT UNSIGNED NULL,
    expected_out   BINARY(32)       NULL,
    min_out        BINARY(32)       NULL,
    amount_out     BINARY(32)       NULL COMMENT 'what arrived, read from the receipt',
    tx_hash        VARBINARY(64)    NULL COMMENT 'once a node accepted it',
    bridge_ref     VARCHAR(160)     CHARACTER SET ascii COLLATE ascii_bin NULL COMMENT 'by which a bridge knows it',
    provider_state VARBINARY(512)   NULL COMMENT 'what its provider said about it last, in its own encoding',
    error_code     VARCHAR(40)      CHARACTER SET ascii NULL,
    error_message  VARCHAR(200)     NULL,
    created_at     DATETIME(3)      NOT NULL,
    updated_at     DATETIME(3)      NOT NULL,
    completed_at   DATETIME(3)      NULL,
    valid_until    DATETIME(3)      NOT NULL COMMENT 'nothing of it is broadcast afterwards',
    due_at         DATETIME(3)      NOT NULL COMMENT 'when to look at it next, at the pace of its provider',
    lease_owner    BINARY(16)       NULL,
    lease_until    DATETIME(3)      NULL,
    UNIQUE KEY once (once),
    KEY agent_page (agent_id, in_swaps, id),
    KEY agent_listed_page (agent_id, in_swaps, listed, id),
    KEY due (in_flight, due_at),
    KEY leased (lease_owner)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 048_next_transactions.sql
-- oldest 46
CREATE TABLE IF NOT EXISTS next_transactions (
    id            BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT PRIMARY KEY,
    execution_id  BIGINT UNSIGNED  NOT NULL,
    leg           TINYINT UNSIGNED NOT NULL DEFAULT 1 COMMENT '1 on the source chain 2 on the destination',
    wallet_id     BIGINT UNSIGNED  NOT NULL,
    chain_id      BIGINT UNSIGNED  NOT NULL,
    nonce         BIGINT UNSIGNED  NULL COMMENT 'the wallet''s sequence number; NULL where the chain counts none',
    kind          TINYINT UNSIGNED NOT NULL COMMENT '1 approval 2 spend 3 cancel 4 bridge_in 5 bridge_out',
    state         TINYINT UNSIGNED NOT NULL COMMENT '1 open 2 included 3 settled 4 lost: another took the nonce',
    hash          VARBINARY(64)    NULL COMMENT 'its id; NULL until who signs first has signed',
    raw           MEDIUMBLOB       NOT NULL COMMENT 'signed bytes, broadcast again as they are',
    expiry        BIGINT UNSIGNED  NULL COMMENT 'last block height or Unix second that takes it, as the chain counts; NULL: no end',
    gas_limit     BIGINT UNSIGNED  NOT NULL,
    max_fee       BINARY(32)       NOT NULL COMMENT 'per gas, in smallest units of the native coin',
    priority_fee  BINARY(32)       NOT NULL,
    value         BINARY(32)       NOT NULL COMMENT 'of the native coin',
    token         VARBINARY(160)   NULL COMMENT 'what it spends or allows beside the native coin',
    token_amount  BINARY(32)       NULL,
    spender       VARBINARY(160)   NULL,
    block_number  BIGINT UNSIGNED  NULL COMMENT 'while it is in a block',
    succeeded     TINYINT UNSIGNED NULL,
    broadcasts    INT UNSIGNED     NOT NULL DEFAULT 0,
    accepted      TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'a node took it at least once',
    refusals      INT UNSIGNED     NOT NULL DEFAULT 0 COMMENT 'refused for good, as nodes say',
    said          TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'a node, the last time: 1 taken 2 bids too little 3 no funds 4 refused for good',
    broadcast_at  DATETIME(3)      NULL,
    created_at    DATETIME(3)      NOT NULL,
    UNIQUE KEY hash (hash),
    KEY execution (execution_id),
    KEY open_nonces (wallet_id, chain_id, state, nonce)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 049_requests.sql
-- oldest 46
CREATE TABLE IF NOT EXISTS requests (
    id            BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT PRIMARY KEY,
    execution_id  BIGINT UNSIGNED  NOT NULL,
    wallet_id     BIGINT UNSIGNED  NOT NULL,
    venue         VARCHAR(32)      CHARACTER SET ascii NOT NULL COMMENT 'whom it is for',
    venue_key     BINARY(32)       NOT NULL COMMENT 'by which the venue tells it from others: most often the digest that was signed',
    signing_key   VARBINARY(64)    NOT NULL COMMENT 'whose signature it bears: an address or a public key',
    nonce         BIGINT UNSIGNED  NULL COMMENT 'NULL where the venue counts none',
    state         TINYINT UNSIGNED NOT NULL COMMENT '1 open 2 included: the venue has it 3 settled 4 lost: the venue refuses it from now on',
    body          MEDIUMBLOB       NOT NULL COMMENT 'signed; sent again byte for byte',
    expires_at    DATETIME(3)      NULL COMMENT 'the venue refuses it afterwards; NULL where it knows no end',
    succeeded     TINYINT UNSIGNED NULL,
    broadcasts    INT UNSIGNED     NOT NULL DEFAULT 0,
    accepted      TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'the venue took it at least once',
    refusals      INT UNSIGNED     NOT NULL DEFAULT 0,
    said          TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'the venue, the last time: as in transactions',
    broadcast_at  DATETIME(3)      NULL,
    created_at    DATETIME(3)      NOT NULL,
    UNIQUE KEY venue_key (venue, venue_key),
    UNIQUE KEY venue_nonce (venue, signing_key, nonce),
    KEY execution (execution_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 050_quote_offers.sql
-- oldest 46
ALTER TABLE quotes
    ADD COLUMN offers MEDIUMBLOB NULL COMMENT 'its runners-up, the best first, as the gateway encodes them';

-- migration 051_execution_totals.sql
-- oldest 46
CREATE TABLE IF NOT EXISTS execution_totals (
    agent_id  BIGINT UNSIGNED  NOT NULL,
    kind      TINYINT UNSIGNED NOT NULL,
    listed    TINYINT UNSIGNED NOT NULL COMMENT 'the status as lists know it',
    n         BIGINT           NOT NULL COMMENT 'of kinds that the totals in agents do not count',
    PRIMARY KEY (agent_id, kind, listed)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 052_long_wallet_addresses.sql
-- oldest 46
ALTER TABLE wallets
    MODIFY address VARCHAR(80) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'EIP-55 or Base58',
    ALGORITHM=INPLACE, LOCK=NONE;

-- migration 053_long_quote_addresses.sql
-- oldest 46
ALTER TABLE quotes
    MODIFY from_address VARCHAR(160) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    MODIFY to_address VARCHAR(160) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    MODIFY wallet_address VARCHAR(80) CHARACTER SET ascii COLLATE ascii_bin NULL COMMENT 'named by the request',
    ALGORITHM=INPLACE, LOCK=NONE;

-- migration 054_copy_executions.sql
-- oldest 46
-- batches swaps
INSERT IGNORE INTO executions (id, agent_id, wallet_id, kind, venue, once, status, in_flight, corrected, from_chain, from_symbol,
    from_address, from_decimals, amount_in, to_chain, to_symbol, to_address, to_decimals, expected_out, min_out,
    amount_out, tx_hash, error_code, error_message, created_at, updated_at, completed_at, valid_until, due_at)
SELECT s.id, s.agent_id, s.wallet_id, IF(s.provider = 'sweep', 2, 1), s.provider, s.quote_id, s.status, s.in_flight,
    s.corrected, s.from_chain, s.from_symbol, s.from_address, s.from_decimals, s.amount_in, s.to_chain, s.to_symbol,
    s.to_address, s.to_decimals, s.expected_out, s.min_out, s.amount_out, s.tx_hash, s.error_code, s.error_message,
    s.created_at, s.updated_at, s.completed_at, s.valid_until, s.next_poll_at
FROM swaps s WHERE s.id >= ? AND s.id < ?;

-- migration 055_copy_transactions.sql
-- oldest 46
-- batches transactions
INSERT IGNORE INTO next_transactions (id, execution_id, wallet_id, chain_id, nonce, kind, state, hash, raw, gas_limit, max_fee, priority_fee, value, token,
    token_amount, spender, block_number, succeeded, broadcasts, accepted, refusals, said, broadcast_at, created_at)
SELECT t.id, t.swap_id, t.wallet_id, t.chain_id, t.nonce, t.kind, t.state, t.hash, t.raw, t.gas_limit, t.max_fee,
    t.priority_fee, t.value, t.token, t.token_amount, t.spender, t.block_number, t.succeeded, t.offers, t.accepted,
    t.refusals, t.said, t.offered_at, t.created_at
FROM transactions t WHERE t.id >= ? AND t.id < ?;

-- migration 056_agents_with_transfers.sql
-- oldest 46
-- batches swaps
-- Agents whose totals counted transfers among their swaps; 065 and 066 count anew for these.
INSERT IGNORE INTO execution_totals (agent_id, kind, listed, n)
SELECT DISTINCT s.agent_id, 2, 1, 0 FROM swaps s WHERE s.provider = 'sweep' AND s.id >= ? AND s.id < ?;

-- migration 057_retire_swaps.sql
-- oldest 74
-- The exchange begins: a program that still writes to these tables fails, and nothing of it is
-- written.
RENAME TABLE swaps TO swaps_046, transactions TO transactions_046, swap_history TO execution_history;

-- migration 058_transactions_purged.sql
-- oldest 74
-- Executions that were followed when they were copied, and purged since.
DELETE t FROM executions e LEFT JOIN swaps_046 s ON s.id = e.id JOIN next_transactions t ON t.execution_id = e.id
WHERE e.in_flight IN (1, 2) AND s.id IS NULL;

-- migration 059_executions_purged.sql
-- oldest 74
DELETE e FROM executions e LEFT JOIN swaps_046 s ON s.id = e.id WHERE e.in_flight IN (1, 2) AND s.id IS NULL;

-- migration 060_transactions_in_flight.sql
-- oldest 74
-- Those that may have changed since they were copied: their executions were followed at that time.
REPLACE INTO next_transactions (id, execution_id, wallet_id, chain_id, nonce, kind, state, hash, raw, gas_limit, max_fee, priority_fee, value, token,
    token_amount, spender, block_number, succeeded, broadcasts, accepted, refusals, said, broadcast_at, created_at)
SELECT t.id, t.swap_id, t.wallet_id, t.chain_id, t.nonce, t.kind, t.state, t.hash, t.raw, t.gas_limit, t.max_fee,
    t.priority_fee, t.value, t.token, t.token_amount, t.spender, t.block_number, t.succeeded, t.offers, t.accepted,
    t.refusals, t.said, t.offered_at, t.created_at
FROM executions e JOIN transactions_046 t ON t.swap_id = e.id WHERE e.in_flight IN (1, 2);

-- migration 061_transactions_since.sql
-- oldest 74
-- Those of executions that were made since, or were not committed yet when their neighbours were copied.
REPLACE INTO next_transactions (id, execution_id, wallet_id, chain_id, nonce, kind, state, hash, raw, gas_limit, max_fee, priority_fee, value, token,
    token_amount, spender, block_number, succeeded, broadcasts, accepted, refusals, said, broadcast_at, created_at)
SELECT t.id, t.swap_id, t.wallet_id, t.chain_id, t.nonce, t.kind, t.state, t.hash, t.raw, t.gas_limit, t.max_fee,
    t.priority_fee, t.value, t.token, t.token_amount, t.spender, t.block_number, t.succeeded, t.offers, t.accepted,
    t.refusals, t.said, t.offered_at, t.created_at
FROM transactions_046 t LEFT JOIN executions e ON e.id = t.swap_id
WHERE e.id IS NULL AND t.swap_id > (SELECT IF(MAX(id) > 100000, MAX(id) - 100000, 0) FROM executions);

-- migration 062_executions_in_flight.sql
-- oldest 74
REPLACE INTO executions (id, agent_id, wallet_id, kind, venue, once, status, in_flight, corrected, from_chain, from_symbol,
    from_address, from_decimals, amount_in, to_chain, to_symbol, to_address, to_decimals, expected_out, min_out,
    amount_out, tx_hash, error_code, error_message, created_at, updated_at, completed_at, valid_until, due_at)
SELECT s.id, s.agent_id, s.wallet_id, IF(s.provider = 'sweep', 2, 1), s.provider, s.quote_id, s.status, s.in_flight,
    s.corrected, s.from_chain, s.from_symbol, s.from_address, s.from_decimals, s.amount_in, s.to_chain, s.to_symbol,
    s.to_address, s.to_decimals, s.expected_out, s.min_out, s.amount_out, s.tx_hash, s.error_code, s.error_message,
    s.created_at, s.updated_at, s.completed_at, s.valid_until, s.next_poll_at
FROM executions e JOIN swaps_046 s ON s.id = e.id WHERE e.in_flight IN (1, 2);

-- migration 063_executions_since.sql
-- oldest 74
INSERT IGNORE INTO executions (id, agent_id, wallet_id, kind, venue, once, status, in_flight, corrected, from_chain, from_symbol,
    from_address, from_decimals, amount_in, to_chain, to_symbol, to_address, to_decimals, expected_out, min_out,
    amount_out, tx_hash, error_code, error_message, created_at, updated_at, completed_at, valid_until, due_at)
SELECT s.id, s.agent_id, s.wallet_id, IF(s.provider = 'sweep', 2, 1), s.provider, s.quote_id, s.status, s.in_flight,
    s.corrected, s.from_chain, s.from_symbol, s.from_address, s.from_decimals, s.amount_in, s.to_chain, s.to_symbol,
    s.to_address, s.to_decimals, s.expected_out, s.min_out, s.amount_out, s.tx_hash, s.error_code, s.error_message,
    s.created_at, s.updated_at, s.completed_at, s.valid_until, s.next_poll_at
FROM swaps_046 s WHERE s.id > (SELECT IF(MAX(id) > 100000, MAX(id) - 100000, 0) FROM executions);

-- migration 064_late_agents_with_transfers.sql
-- oldest 74
INSERT IGNORE INTO execution_totals (agent_id, kind, listed, n)
SELECT DISTINCT e.agent_id, 2, 1, 0
FROM executions e JOIN (SELECT IF(MAX(id) > 100000, MAX(id) - 100000, 0) AS id FROM executions) newest
WHERE e.kind = 2 AND e.id > newest.id;

-- migration 065_swap_totals.sql
-- oldest 74
UPDATE agents a JOIN (
    SELECT e.agent_id, SUM(e.kind = 1 AND e.listed = 1) AS pending, SUM(e.kind = 1 AND e.listed = 2) AS submitted,
        SUM(e.kind = 1 AND e.listed = 4) AS completed, SUM(e.kind = 1 AND e.listed = 5) AS failed
    FROM (SELECT DISTINCT agent_id FROM execution_totals WHERE kind = 2) t JOIN executions e ON e.agent_id = t.agent_id
    GROUP BY e.agent_id) n ON n.agent_id = a.id
SET a.swaps_pending = n.pending, a.swaps_submitted = n.submitted, a.swaps_completed = n.completed, a.swaps_failed = n.failed;

-- migration 066_transfer_totals.sql
-- oldest 74
INSERT INTO execution_totals (agent_id, kind, listed, n)
SELECT e.agent_id, e.kind, e.listed, COUNT(*)
FROM (SELECT DISTINCT agent_id FROM execution_totals WHERE kind = 2) t JOIN executions e ON e.agent_id = t.agent_id
WHERE e.kind = 2
GROUP BY e.agent_id, e.kind, e.listed
ON DUPLICATE KEY UPDATE n = VALUES(n);

-- migration 067_transactions.sql
-- oldest 74
RENAME TABLE next_transactions TO transactions;

-- migration 068_execution_history.sql
-- oldest 74
ALTER TABLE execution_history RENAME COLUMN swap_id TO execution_id;

-- migration 069_approvals_of_executions.sql
-- oldest 74
ALTER TABLE approvals RENAME COLUMN swap_id TO execution_id;

-- migration 070_spends_of_executions.sql
-- oldest 74
ALTER TABLE spends RENAME COLUMN swap_id TO execution_id;

-- migration 071_tasks_of_executions.sql
-- oldest 74
ALTER TABLE tasks RENAME COLUMN swap_id TO execution_id;

-- migration 072_purge_copies.sql
-- oldest 74
-- Rows of agents whose purge ended while they were copied.
INSERT IGNORE INTO purges (agent_id, created_at, next_at)
SELECT e.agent_id, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3)
FROM (SELECT agent_id FROM executions UNION SELECT agent_id FROM execution_totals) e LEFT JOIN agents a ON a.id = e.agent_id WHERE a.id IS NULL;

-- migration 073_drop_swaps.sql
-- oldest 74
DROP TABLE IF EXISTS swaps_046;

-- migration 074_drop_old_transactions.sql
-- oldest 74
DROP TABLE IF EXISTS transactions_046;

-- migration 075_requests_unknown.sql
-- oldest 74
ALTER TABLE requests
    ADD COLUMN unknown_at DATETIME(3) NULL COMMENT 'when the venue first said, past the end of its time, that it does not know it';

-- migration 076_execution_marks.sql
-- oldest 75
CREATE TABLE IF NOT EXISTS execution_marks (
    agent_id    BIGINT UNSIGNED NOT NULL,
    upto_id     BIGINT UNSIGNED NOT NULL COMMENT 'of the agent''s executions up to this one GET /swaps lists',
    n           BIGINT          NOT NULL COMMENT 'so many in all',
    n_pending   BIGINT          NOT NULL COMMENT 'and by the status as lists know it',
    n_submitted BIGINT          NOT NULL,
    n_completed BIGINT          NOT NULL,
    n_failed    BIGINT          NOT NULL,
    PRIMARY KEY (agent_id, upto_id),
    KEY of_all (agent_id, n),
    KEY of_pending (agent_id, n_pending),
    KEY of_submitted (agent_id, n_submitted),
    KEY of_completed (agent_id, n_completed),
    KEY of_failed (agent_id, n_failed)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 077_agents_marked.sql
-- oldest 75
ALTER TABLE agents ADD COLUMN swaps_marked_upto BIGINT UNSIGNED NOT NULL DEFAULT 0
    COMMENT 'its rows in execution_marks count up to this execution; those beyond it are out of date';

-- migration 078_execution_marks_made.sql
-- oldest 78
CREATE TABLE IF NOT EXISTS execution_marks_made (
    one     TINYINT UNSIGNED NOT NULL PRIMARY KEY,
    upto_id BIGINT UNSIGNED  NOT NULL COMMENT 'the executions up to this one have been looked through for marks to make'
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 079_quotes_reference.sql
-- oldest 78
ALTER TABLE quotes
    ADD COLUMN reference VARBINARY(291) NULL COMMENT 'routes whose price for a small part the trade is held against, as the gateway encodes them';

-- migration 080_executions_approval.sql
-- oldest 78
ALTER TABLE executions
    ADD COLUMN approval_id BINARY(16) NULL COMMENT 'its row in approvals; NULL: it needed none',
    ADD COLUMN approval_expires_at DATETIME(3) NULL COMMENT 'as there';

-- migration 081_approvals_so_far.sql
-- oldest 78
UPDATE approvals p STRAIGHT_JOIN executions e ON e.id = p.execution_id
SET e.approval_id = p.id, e.approval_expires_at = p.expires_at
WHERE e.approval_id IS NULL;

-- migration 082_approvals_since.sql
-- oldest 82
-- Those that older programs have asked for since.
UPDATE approvals p STRAIGHT_JOIN executions e ON e.id = p.execution_id
SET e.approval_id = p.id, e.approval_expires_at = p.expires_at
WHERE e.approval_id IS NULL;

-- migration 083_agents_banned.sql
-- oldest 82
ALTER TABLE agents
    ADD COLUMN banned TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'as its row in trading_stops says, for the look-up by key';

-- migration 084_agents_banned_so_far.sql
-- oldest 84
UPDATE agents a JOIN trading_stops t ON t.agent_id = a.id SET a.banned = 1 WHERE t.stopped & 2 <> 0;

-- migration 085_upstream_answers.sql
-- oldest 84
CREATE TABLE IF NOT EXISTS upstream_answers (
    question    BINARY(32)  NOT NULL PRIMARY KEY COMMENT 'SHA-256 of what is asked',
    answer      MEDIUMTEXT  CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL COMMENT 'members of our answer, as JSON',
    made_at     DATETIME(3) NULL,
    asker       BINARY(16)  NULL COMMENT 'whoever asks for it now',
    asked_until DATETIME(3) NULL,
    touched_at  DATETIME(3) NOT NULL COMMENT 'when somebody asked for it last',
    KEY touched (touched_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 086_requests_venue_ref.sql
-- oldest 84
ALTER TABLE requests
    ADD COLUMN venue_ref VARBINARY(100) NULL COMMENT 'the venue''s own id of it, as it gave it when it took it',
    ADD COLUMN tx_hash VARBINARY(64) NULL COMMENT 'the transaction by which the venue carries it out, as far as it has said',
    ADD KEY wallet_venue (wallet_id, venue);

-- migration 087_parts_of_spends.sql
-- oldest 84
ALTER TABLE spends
    ADD COLUMN part BIGINT UNSIGNED NOT NULL DEFAULT 1 COMMENT 'so much of `whole` counts: what an order does not fill is given back',
    ADD COLUMN whole BIGINT UNSIGNED NOT NULL DEFAULT 1;

-- migration 088_orders.sql
-- oldest 84
CREATE TABLE IF NOT EXISTS orders (
    execution_id  BIGINT UNSIGNED  NOT NULL PRIMARY KEY,
    agent_id      BIGINT UNSIGNED  NOT NULL,
    wallet_id     BIGINT UNSIGNED  NOT NULL,
    hash          BINARY(32)       NULL COMMENT 'its id: of the request that counts now; NULL until it is signed',
    market        VARCHAR(20)      CHARACTER SET ascii NOT NULL,
    condition_id  BINARY(32)       NOT NULL,
    token         BINARY(32)       NOT NULL,
    outcome       VARCHAR(128)     NOT NULL,
    question      VARCHAR(512)     NOT NULL,
    exchange      TINYINT UNSIGNED NOT NULL COMMENT '0 v2 1 neg_risk 2 v3',
    side          TINYINT UNSIGNED NOT NULL COMMENT '0 buy 1 sell',
    type          TINYINT UNSIGNED NOT NULL COMMENT '1 GTC 2 GTD 3 FOK 4 FAK',
    post_only     TINYINT UNSIGNED NOT NULL,
    price         INT UNSIGNED     NOT NULL COMMENT 'ten-thousandths',
    size          BIGINT UNSIGNED  NOT NULL COMMENT 'hundredths of a share',
    expires_at    DATETIME(3)      NULL COMMENT 'of GTD',
    fee_most      BIGINT UNSIGNED  NOT NULL COMMENT 'millionths of collateral that a full fill may cost',
    status        TINYINT UNSIGNED NOT NULL COMMENT '1 pending 2 open 3 filled 4 cancelled 5 rejected 6 waiting for approval',
    matched       BIGINT UNSIGNED  NOT NULL DEFAULT 0 COMMENT 'millionths of a share',
    paid          BIGINT UNSIGNED  NOT NULL DEFAULT 0 COMMENT 'millionths of collateral, for what is matched',
    settled       BIGINT UNSIGNED  NOT NULL DEFAULT 0 COMMENT 'of what is matched, for good',
    final         TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'nothing of it can change any more',
    error_code    VARCHAR(64)      NULL,
    error_message VARCHAR(255)     NULL,
    cancel_requested_at DATETIME(3) NULL,
    looked_at     DATETIME(3)      NULL COMMENT 'the venue was asked for it last',
    missed        INT UNSIGNED     NOT NULL DEFAULT 0 COMMENT 'looks in a row that did not find it',
    created_at    DATETIME(3)      NOT NULL,
    updated_at    DATETIME(3)      NOT NULL,
    UNIQUE KEY hash (hash),
    KEY agent_page (agent_id, execution_id),
    KEY agent_status_page (agent_id, status, execution_id),
    KEY wallet_holds (wallet_id, final, updated_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 089_predict_accounts.sql
-- oldest 84
CREATE TABLE IF NOT EXISTS predict_accounts (
    wallet_id      BIGINT UNSIGNED  NOT NULL PRIMARY KEY,
    agent_id       BIGINT UNSIGNED  NOT NULL,
    kind           TINYINT UNSIGNED NOT NULL COMMENT 'who holds what is traded: 1 a deposit wallet 2 the wallet itself',
    form           TINYINT UNSIGNED NOT NULL COMMENT 'of the deposit wallet: 0 beacon 1 UUPS',
    trading        BINARY(20)       NOT NULL COMMENT 'address of whoever holds it',
    credentials    VARBINARY(512)   NULL     COMMENT 'of the venue, sealed under the service key',
    credentials_at DATETIME(3)      NULL,
    rejected_at    DATETIME(3)      NULL     COMMENT 'the venue does not take them any more; NULL: as far as is known it does',
    closed_only    TINYINT UNSIGNED NULL     COMMENT 'the venue lets it only close positions; NULL: never asked',
    closed_only_at DATETIME(3)      NULL     COMMENT 'when that was asked',
    orders_due_at  DATETIME(3)      NULL     COMMENT 'when its orders are looked at next; NULL: nothing to look at',
    lease_owner    BINARY(16)       NULL,
    leased_until   DATETIME(3)      NULL,
    created_at     DATETIME(3)      NOT NULL,
    KEY due (orders_due_at),
    KEY agent (agent_id),
    KEY closed_only (closed_only)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 090_fills.sql
-- oldest 84
CREATE TABLE IF NOT EXISTS fills (
    execution_id BIGINT UNSIGNED  NOT NULL COMMENT 'of the order',
    trade        VARCHAR(80)      NOT NULL COMMENT 'the venue''s id of the trade',
    price        INT UNSIGNED     NOT NULL COMMENT 'ten-thousandths',
    size         BIGINT UNSIGNED  NOT NULL COMMENT 'millionths of a share',
    paid         BIGINT UNSIGNED  NOT NULL COMMENT 'millionths of collateral',
    fee          BIGINT UNSIGNED  NOT NULL COMMENT 'likewise, beside it',
    maker        TINYINT UNSIGNED NOT NULL COMMENT 'the order rested',
    state        TINYINT UNSIGNED NOT NULL COMMENT '1 matched 2 mined 3 confirmed 4 failed',
    tx_hash      BINARY(32)       NULL COMMENT 'that settles it',
    at           DATETIME(3)      NOT NULL,
    PRIMARY KEY (execution_id, trade)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 091_predict_accounts_lease.sql
-- oldest 84
ALTER TABLE predict_accounts
    ADD KEY lease (lease_owner);

-- migration 092_orders_listed.sql
-- oldest 84
ALTER TABLE orders
    ADD COLUMN listed TINYINT UNSIGNED AS (status < 4) STORED COMMENT 'lists show it unless they are asked for others',
    ADD KEY agent_listed_page (agent_id, listed, execution_id),
    DROP KEY agent_page,
    ADD KEY agent_page (agent_id, execution_id, status);

-- migration 093_order_totals.sql
-- oldest 84
ALTER TABLE agents
    ADD COLUMN orders_pending   BIGINT NOT NULL DEFAULT 0 COMMENT 'kept totals by status',
    ADD COLUMN orders_open      BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN orders_filled    BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN orders_cancelled BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN orders_rejected  BIGINT NOT NULL DEFAULT 0;

-- migration 094_order_totals_so_far.sql
-- oldest 84
UPDATE agents a JOIN (
    SELECT agent_id, SUM(status = 1) AS pending, SUM(status = 2) AS open, SUM(status = 3) AS filled, SUM(status = 4) AS cancelled,
        SUM(status = 5) AS rejected
    FROM orders GROUP BY agent_id) n ON n.agent_id = a.id
SET a.orders_pending = n.pending, a.orders_open = n.open, a.orders_filled = n.filled, a.orders_cancelled = n.cancelled,
    a.orders_rejected = n.rejected;

-- migration 095_request_refusals.sql
-- oldest 84
ALTER TABLE requests
    ADD COLUMN refusal_code VARCHAR(40) CHARACTER SET ascii NULL COMMENT 'of the venue, which proves nothing by itself',
    ADD COLUMN refusal      VARCHAR(200) NULL COMMENT 'the same in words';

-- migration 096_tokens.sql
-- oldest 84
CREATE TABLE IF NOT EXISTS tokens (
    chain_id   BIGINT UNSIGNED  NOT NULL,
    address    VARCHAR(160)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'as the chain writes it',
    symbol     VARCHAR(32)      NOT NULL,
    decimals   TINYINT UNSIGNED NOT NULL,
    name       VARCHAR(80)      NOT NULL,
    checked    TINYINT UNSIGNED NOT NULL COMMENT 'the chain itself told the decimals',
    place      INT UNSIGNED     NOT NULL COMMENT 'in the list that it is from, from 0',
    renewed_at DATETIME(3)      NOT NULL COMMENT 'when a list last had it',
    PRIMARY KEY (chain_id, address),
    KEY listed (chain_id, place),
    KEY by_symbol (chain_id, symbol)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

-- migration 097_providers.sql
-- oldest 84
CREATE TABLE IF NOT EXISTS providers (
    provider VARCHAR(32)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY COMMENT 'its key in the settings',
    asked    BIGINT UNSIGNED NOT NULL COMMENT 'by all hosts; so are the next ones',
    answered BIGINT UNSIGNED NOT NULL,
    took_ms  BIGINT UNSIGNED NOT NULL COMMENT 'of all that were asked',
    findings BIGINT UNSIGNED NOT NULL COMMENT 'transactions that were not what had been offered',
    asked_at DATETIME(3)     NOT NULL COMMENT 'last'
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

-- migration 098_bridges.sql
-- oldest 84
CREATE TABLE IF NOT EXISTS bridges (
    execution_id     BIGINT UNSIGNED  NOT NULL PRIMARY KEY COMMENT 'what it buys is on another chain than what it sells',
    carrier          VARCHAR(32)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'who answers for it',
    reference        VARCHAR(160)     CHARACTER SET ascii COLLATE ascii_bin NULL COMMENT 'its name there; NULL: it goes by its transaction',
    recipient        VARCHAR(160)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'on the far chain',
    deadline         DATETIME(3)      NULL COMMENT 'a refund is due after it; NULL: not known',
    seconds          INT UNSIGNED     NOT NULL COMMENT 'that it takes, as estimated',
    far_block        BIGINT UNSIGNED  NULL COMMENT 'the far chain''s newest one before it was signed',
    proof            BLOB             NOT NULL COMMENT 'what the signer is shown beside the transaction',
    state            TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'as its carrier said last: 1 under way 2 done 3 refunded 4 failed',
    since            DATETIME(3)      NULL COMMENT 'when the carrier began to say so',
    out_chain        BIGINT UNSIGNED  NULL,
    out_tx           VARBINARY(64)    NULL COMMENT 'that paid, or paid back, as its carrier says',
    out_block        BIGINT UNSIGNED  NULL COMMENT 'where a node has shown it',
    delivery         TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT '1 reported by its carrier 2 proven by a node',
    arrived_chain    BIGINT UNSIGNED  NULL COMMENT 'what came instead of what was bought',
    arrived_symbol   VARCHAR(32)      NULL,
    arrived_address  VARCHAR(160)     CHARACTER SET ascii COLLATE ascii_bin NULL,
    arrived_decimals TINYINT UNSIGNED NULL,
    arrived_amount   BINARY(32)       NULL,
    asks             INT UNSIGNED     NOT NULL DEFAULT 0,
    asked_at         DATETIME(3)      NULL,
    next_ask_at      DATETIME(3)      NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 099_arrivals.sql
-- oldest 84
CREATE TABLE IF NOT EXISTS arrivals (
    chain_id     BIGINT UNSIGNED NOT NULL,
    tx           VARBINARY(64)   NOT NULL,
    log_index    INT             NOT NULL COMMENT 'in its block; -1: coin, which leaves no log',
    execution_id BIGINT UNSIGNED NOT NULL COMMENT 'whose delivery or refund it proves, and nobody else''s',
    recipient    VARCHAR(160)    CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    block_number BIGINT UNSIGNED NOT NULL,
    amount       BINARY(32)      NOT NULL,
    PRIMARY KEY (chain_id, tx, log_index),
    KEY execution (execution_id),
    KEY block (chain_id, block_number)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 100_quotes_recipient.sql
-- oldest 84
ALTER TABLE quotes
    ADD COLUMN recipient VARCHAR(160) CHARACTER SET ascii COLLATE ascii_bin NULL COMMENT 'on a chain of another family; NULL: the payer, or nobody yet';

-- migration 101_transaction_doors.sql
-- oldest 84
ALTER TABLE transactions
    ADD COLUMN door VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL COMMENT 'by which whoever built it takes it, signed; NULL: nodes alone do';

-- migration 102_executions_unused.sql
-- oldest 84
-- No program has ever named them: bridges have a table of their own.
ALTER TABLE executions
    DROP COLUMN bridge_ref,
    DROP COLUMN provider_state;

-- migration 103_pulses.sql
-- oldest 84
CREATE TABLE IF NOT EXISTS pulses (
    host      BINARY(16)       NOT NULL PRIMARY KEY COMMENT 'whose file in signer_dir counts along',
    beats     BIGINT UNSIGNED  NOT NULL COMMENT 'less than the file says: the database is older than the host',
    at        DATETIME(3)      NOT NULL COMMENT 'of the last one',
    programs  INT UNSIGNED     NOT NULL DEFAULT 0 COMMENT 'that beat: the schema that they were built for',
    lost_from DATETIME(3)      NULL COMMENT 'the last beat that was known when it was found to be older',
    accepted  TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT '1: it was reconciled, and the host may go on'
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 104_event_attempts.sql
-- oldest 84
ALTER TABLE webhook_events ADD COLUMN attempt_log TEXT NULL
    COMMENT 'the last ten attempts, a line each: milliseconds since 1970, status (0: no answer), milliseconds taken, error';

-- migration 105_job_runs.sql
-- oldest 84
CREATE TABLE IF NOT EXISTS job_runs (
    job        VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    done_at    DATETIME(3) NULL COMMENT 'it did its work last, on whichever host',
    failed_at  DATETIME(3) NULL COMMENT 'it could not, last'
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 106_withdrawal_addresses.sql
-- oldest 84
CREATE TABLE IF NOT EXISTS withdrawal_addresses (
    id         BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT PRIMARY KEY,
    agent_id   BIGINT UNSIGNED  NOT NULL,
    kind       TINYINT UNSIGNED NOT NULL COMMENT 'of the wallets that can pay it: 1 EVM 2 Solana',
    address    VARCHAR(80)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    label      VARCHAR(64)      CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NULL COMMENT 'by which the agent calls it',
    record     VARBINARY(255)   NOT NULL COMMENT 'the signer''s, sealed; what it says counts, not this row',
    created_at DATETIME(3)      NOT NULL,
    active_at  DATETIME(3)      NOT NULL,
    asked_at   DATETIME(3)      NULL COMMENT 'when the hosts were asked to take its removal',
    asked_by   BINARY(16)       NULL COMMENT 'the host that asked, as in pulses',
    taken_by   VARBINARY(16000) NOT NULL DEFAULT '' COMMENT 'the others whose signers have, 16 bytes each',
    removed_at DATETIME(3)      NULL,
    present    TINYINT UNSIGNED AS (IF(removed_at IS NULL, 1, NULL)) STORED,
    UNIQUE KEY address (agent_id, kind, address, present),
    UNIQUE KEY label (agent_id, kind, label, present),
    KEY asked (asked_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 107_withdrawals.sql
-- oldest 84
CREATE TABLE IF NOT EXISTS withdrawals (
    execution_id BIGINT UNSIGNED NOT NULL PRIMARY KEY,
    agent_id     BIGINT UNSIGNED NOT NULL,
    address_id   BIGINT UNSIGNED NOT NULL COMMENT 'its row in withdrawal_addresses',
    fee          BINARY(32)      NOT NULL COMMENT 'of the chain''s coin: at most, until the chain has told',
    KEY agent_page (agent_id, execution_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 108_orders_holds.sql
-- oldest 84
-- Orders that ended without a match hold nothing: the index alone tells which they are.
ALTER TABLE orders
    DROP KEY wallet_holds,
    ADD KEY wallet_holds (wallet_id, final, updated_at, matched);

-- migration 109_predict_accounts_seek.sql
-- oldest 84
ALTER TABLE predict_accounts
    ADD COLUMN seek TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'the venue may have orders of it that the database lacks';

-- migration 110_executions_request.sql
-- oldest 84
ALTER TABLE executions
    ADD COLUMN request_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL COMMENT 'X-Request-Id of the answer that accepted it',
    ADD KEY request (request_id(20));

-- migration 111_event_took.sql
-- oldest 84
ALTER TABLE webhook_events ADD COLUMN took_ms INT UNSIGNED NULL
    COMMENT 'milliseconds of the attempt that delivered it, where attempt_log does not have that one';

-- migration 112_lend_operations.sql
-- oldest 84
CREATE TABLE IF NOT EXISTS lend_operations (
    execution_id BIGINT UNSIGNED  NOT NULL PRIMARY KEY,
    agent_id     BIGINT UNSIGNED  NOT NULL,
    kind         TINYINT UNSIGNED NOT NULL COMMENT 'of its execution',
    market       VARCHAR(80)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'its id',
    everything   TINYINT UNSIGNED NOT NULL COMMENT 'all that is supplied, or owed, and not the amount that it was then',
    collateral   TINYINT UNSIGNED NOT NULL COMMENT 'it moves collateral; of a switch: whether it is one from then on',
    health       BINARY(32)       NULL COMMENT 'the health factor of 10^18 that the trial left; NULL without debt',
    KEY agent_page (agent_id, execution_id),
    KEY agent_kind_page (agent_id, kind, execution_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 113_lend_watches.sql
-- oldest 84
CREATE TABLE IF NOT EXISTS lend_watches (
    id         BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT PRIMARY KEY,
    agent_id   BIGINT UNSIGNED  NOT NULL,
    wallet_id  BIGINT UNSIGNED  NOT NULL,
    chain_id   BIGINT UNSIGNED  NOT NULL,
    protocol   VARCHAR(16)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    market     VARCHAR(80)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'empty: all of the protocol''s on the chain',
    turn       BIGINT UNSIGNED  NOT NULL DEFAULT 0 COMMENT 'how often it was recorded',
    block      BIGINT UNSIGNED  NOT NULL DEFAULT 0 COMMENT 'of the last look that counted',
    looked_at  DATETIME(3)      NULL COMMENT 'when that was',
    low        TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'told, and not recovered since',
    debtless   TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'looks in a row that saw no debt',
    missing    TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'looks in a row that saw less than was held, and no log that says why',
    held_block BIGINT UNSIGNED  NOT NULL DEFAULT 0,
    held       BLOB             NULL COMMENT 'what it had in that block',
    told_block BIGINT UNSIGNED  NOT NULL DEFAULT 0 COMMENT 'what logs up to it say was told without them',
    UNIQUE KEY debt (wallet_id, chain_id, protocol, market),
    KEY chain (chain_id, id),
    KEY agent (agent_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 114_lend_liquidations.sql
-- oldest 84
CREATE TABLE IF NOT EXISTS lend_liquidations (
    wallet_id BIGINT UNSIGNED  NOT NULL,
    chain_id  BIGINT UNSIGNED  NOT NULL,
    tx        VARBINARY(64)    NOT NULL,
    place     TINYINT UNSIGNED NOT NULL COMMENT 'among those of the wallet in the transaction',
    agent_id  BIGINT UNSIGNED  NOT NULL,
    told_at   DATETIME(3)      NOT NULL,
    PRIMARY KEY (wallet_id, chain_id, tx, place),
    KEY agent (agent_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 115_lend_scans.sql
-- oldest 84
CREATE TABLE IF NOT EXISTS lend_scans (
    chain_id BIGINT UNSIGNED NOT NULL PRIMARY KEY,
    block    BIGINT UNSIGNED NOT NULL COMMENT 'up to which logs were read'
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 116_lend_listings.sql
-- oldest 84
CREATE TABLE IF NOT EXISTS lend_listings (
    chain_id   BIGINT UNSIGNED   NOT NULL,
    id         BINARY(32)        NOT NULL COMMENT 'of a market of Morpho',
    place      SMALLINT UNSIGNED NOT NULL COMMENT 'in its catalogue, from 0',
    created_at DATETIME(3)       NULL,
    warnings   TEXT              NOT NULL COMMENT 'as JSON',
    PRIMARY KEY (chain_id, id),
    KEY listed (chain_id, place)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 117_bridge_payments.sql
-- oldest 84
ALTER TABLE bridges ADD KEY paid (out_tx);

-- migration 118_lend_operations_by_agent.sql
-- oldest 84
-- An agent's are read together, newest first.
ALTER TABLE lend_operations
    DROP PRIMARY KEY,
    ADD PRIMARY KEY (agent_id, execution_id),
    ADD UNIQUE KEY of_execution (execution_id),
    DROP KEY agent_page;

-- migration 119_withdrawals_by_agent.sql
-- oldest 84
-- As with operations at lenders.
ALTER TABLE withdrawals
    DROP PRIMARY KEY,
    ADD PRIMARY KEY (agent_id, execution_id),
    ADD UNIQUE KEY of_execution (execution_id),
    DROP KEY agent_page;

-- migration 120_signing_nonces.sql
-- oldest 84
CREATE TABLE IF NOT EXISTS signing_nonces (
    signing_key VARBINARY(64)   NOT NULL PRIMARY KEY COMMENT 'an address or a public key',
    last        BIGINT UNSIGNED NOT NULL COMMENT 'the highest that was given out'
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 121_trading_keys.sql
-- oldest 84
CREATE TABLE IF NOT EXISTS trading_keys (
    id           BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT PRIMARY KEY,
    agent_id     BIGINT UNSIGNED  NOT NULL,
    wallet_id    BIGINT UNSIGNED  NOT NULL COMMENT 'that it trades for',
    execution_id BIGINT UNSIGNED  NOT NULL COMMENT 'by which it is approved',
    address      VARCHAR(80)      CHARACTER SET ascii NOT NULL,
    sealed_key   VARBINARY(128)   NOT NULL,
    approved     TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'the venue has let it trade',
    valid_until  DATETIME(3)      NOT NULL,
    ended_at     DATETIME(3)      NULL COMMENT 'nothing is signed with it any more',
    created_at   DATETIME(3)      NOT NULL,
    UNIQUE KEY address (address),
    KEY wallet (wallet_id, id),
    KEY agent (agent_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 122_perps_orders.sql
-- oldest 84
CREATE TABLE IF NOT EXISTS perps_orders (
    id            BIGINT UNSIGNED   NOT NULL AUTO_INCREMENT PRIMARY KEY,
    execution_id  BIGINT UNSIGNED   NOT NULL COMMENT 'that places it, with what stands behind it',
    agent_id      BIGINT UNSIGNED   NOT NULL,
    wallet_id     BIGINT UNSIGNED   NOT NULL,
    role          TINYINT UNSIGNED  NOT NULL COMMENT '0 an order; behind it 1 takes its gains 2 stops its losses',
    cloid         BINARY(16)        NOT NULL COMMENT 'its id, ours and at the venue',
    oid           BIGINT UNSIGNED   NULL COMMENT 'the number that the venue gave it',
    asset         VARCHAR(16)       CHARACTER SET ascii NOT NULL,
    sells         TINYINT UNSIGNED  NOT NULL,
    is_market     TINYINT UNSIGNED  NOT NULL,
    tif           TINYINT UNSIGNED  NOT NULL COMMENT '0 GTC 1 IOC 2 ALO',
    reduce_only   TINYINT UNSIGNED  NOT NULL,
    size          BIGINT UNSIGNED   NOT NULL COMMENT '10^-8, as the next ones',
    price         BIGINT UNSIGNED   NOT NULL,
    trigger_price BIGINT UNSIGNED   NOT NULL,
    leverage      SMALLINT UNSIGNED NOT NULL,
    isolated      TINYINT UNSIGNED  NOT NULL,
    status        TINYINT UNSIGNED  NOT NULL COMMENT '1 pending 2 open 3 filled 4 cancelled 5 rejected 6 waiting for approval',
    filled        BIGINT UNSIGNED   NOT NULL DEFAULT 0,
    paid          BIGINT UNSIGNED   NOT NULL DEFAULT 0 COMMENT 'dollars for what is filled, by its trades',
    fee           BIGINT            NOT NULL DEFAULT 0,
    final         TINYINT UNSIGNED  NOT NULL DEFAULT 0 COMMENT 'nothing of it can change any more',
    error_code    VARCHAR(64)       NULL,
    error_message VARCHAR(255)      NULL,
    cancel_requested_at DATETIME(3) NULL,
    looked_at     DATETIME(3)       NULL COMMENT 'since when the venue does not know it',
    created_at    DATETIME(3)       NOT NULL,
    updated_at    DATETIME(3)       NOT NULL,
    UNIQUE KEY cloid (cloid),
    KEY execution (execution_id, role),
    KEY agent_page (agent_id, role, id),
    KEY agent_status_page (agent_id, role, status, id),
    KEY wallet_open (wallet_id, final)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 123_perps_accounts.sql
-- oldest 84
CREATE TABLE IF NOT EXISTS perps_accounts (
    wallet_id     BIGINT UNSIGNED NOT NULL PRIMARY KEY,
    agent_id      BIGINT UNSIGNED NOT NULL,
    fills_since   DATETIME(3)     NOT NULL COMMENT 'all trades before are recorded',
    funding_since DATETIME(3)     NOT NULL COMMENT 'likewise all payments',
    funding_at    DATETIME(3)     NULL COMMENT 'when these were asked for',
    due_at        DATETIME(3)     NULL COMMENT 'when it is looked at next; NULL: nothing to look at',
    lease_owner   BINARY(16)      NULL,
    leased_until  DATETIME(3)     NULL,
    created_at    DATETIME(3)     NOT NULL,
    KEY due (due_at),
    KEY lease (lease_owner),
    KEY agent (agent_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 124_perps_fills.sql
-- oldest 84
CREATE TABLE IF NOT EXISTS perps_fills (
    wallet_id   BIGINT UNSIGNED  NOT NULL,
    trade       BIGINT UNSIGNED  NOT NULL COMMENT 'the number that the venue gave it, or one made of what it says',
    agent_id    BIGINT UNSIGNED  NOT NULL,
    oid         BIGINT UNSIGNED  NOT NULL COMMENT 'of its order',
    cloid       BINARY(16)       NULL COMMENT 'likewise; NULL: none of ours',
    asset       VARCHAR(16)      CHARACTER SET ascii NOT NULL,
    sells       TINYINT UNSIGNED NOT NULL,
    liquidation TINYINT UNSIGNED NOT NULL,
    price       BIGINT UNSIGNED  NOT NULL COMMENT '10^-8, as the next ones',
    size        BIGINT UNSIGNED  NOT NULL,
    fee         BIGINT           NOT NULL,
    gain        BIGINT           NOT NULL COMMENT 'that it closed with',
    at          DATETIME(3)      NOT NULL,
    PRIMARY KEY (wallet_id, trade),
    KEY of_order (wallet_id, oid),
    KEY agent_page (agent_id, at, trade)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 125_perps_payments.sql
-- oldest 84
CREATE TABLE IF NOT EXISTS perps_payments (
    wallet_id BIGINT UNSIGNED NOT NULL,
    asset     VARCHAR(16)     CHARACTER SET ascii NOT NULL,
    at        DATETIME(3)     NOT NULL,
    agent_id  BIGINT UNSIGNED NOT NULL,
    rate      BIGINT          NOT NULL COMMENT '10^-18',
    size      BIGINT          NOT NULL COMMENT '10^-8, below 0 of a short position',
    amount    BIGINT          NOT NULL COMMENT '10^-8 dollars, below 0 paid',
    PRIMARY KEY (wallet_id, asset, at),
    KEY agent_page (agent_id, at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 126_perps_transfers.sql
-- oldest 84
CREATE TABLE IF NOT EXISTS perps_transfers (
    execution_id BIGINT UNSIGNED  NOT NULL PRIMARY KEY,
    agent_id     BIGINT UNSIGNED  NOT NULL,
    wallet_id    BIGINT UNSIGNED  NOT NULL,
    kind         TINYINT UNSIGNED NOT NULL COMMENT 'of its execution',
    route        TINYINT UNSIGNED NOT NULL COMMENT '1 the venue''s bridge 2 Circle''s protocol',
    chain_id     BIGINT UNSIGNED  NOT NULL,
    amount       BINARY(32)       NOT NULL COMMENT 'what leaves',
    expected     BINARY(32)       NOT NULL COMMENT 'what of it should arrive',
    least        BINARY(32)       NOT NULL COMMENT 'what arrives of it if it costs the most',
    block        BIGINT UNSIGNED  NOT NULL COMMENT 'of a withdrawal: the chain''s newest one before it was signed',
    proof        VARBINARY(100)   NULL COMMENT 'by which it was seen to have arrived, and nothing else is: a row of the venue''s ledger, or an event of the chain',
    KEY agent_page (agent_id, execution_id),
    UNIQUE KEY proof (wallet_id, proof)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 127_margins_of_spends.sql
-- oldest 84
ALTER TABLE spends
    ADD COLUMN margin TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT '1: bound by an order for a perpetual, which limits with that venue count';

-- migration 128_operator_tokens.sql
-- oldest 84
CREATE TABLE IF NOT EXISTS operator_tokens (
    id         BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT PRIMARY KEY,
    name       VARCHAR(64)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'who acts with it, for the audit log',
    in_force   TINYINT UNSIGNED NULL DEFAULT 1 COMMENT 'NULL: revoked, so that its name is free again',
    digest     BINARY(32)       NOT NULL COMMENT 'SHA-256 of the token, which has 256 random bits',
    read_only  TINYINT UNSIGNED NOT NULL,
    created_at DATETIME(3)      NOT NULL,
    revoked_at DATETIME(3)      NULL,
    UNIQUE KEY digest (digest),
    UNIQUE KEY in_force (in_force, name)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 129_series_sources.sql
-- oldest 84
CREATE TABLE IF NOT EXISTS series_sources (
    source BIGINT UNSIGNED NOT NULL PRIMARY KEY COMMENT 'a file of counters that some host has',
    folds  BIGINT UNSIGNED NOT NULL COMMENT '0: nothing of it was added yet; written by whoever holds this row',
    at     DATETIME(3)     NOT NULL COMMENT 'of the last time that anything was added',
    KEY at (at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 130_series_marks.sql
-- oldest 84
CREATE TABLE IF NOT EXISTS series_marks (
    source   BIGINT UNSIGNED  NOT NULL,
    metric   TINYINT UNSIGNED NOT NULL,
    chain_id BIGINT UNSIGNED  NOT NULL COMMENT '0: of no chain',
    place    TINYINT UNSIGNED NOT NULL COMMENT 'among its buckets or outcomes',
    seen     BIGINT UNSIGNED  NOT NULL COMMENT 'what the counter was when it was added last',
    PRIMARY KEY (source, metric, chain_id, place)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 131_series_minutes.sql
-- oldest 84
CREATE TABLE IF NOT EXISTS series_minutes (
    metric   TINYINT UNSIGNED NOT NULL,
    slot     INT UNSIGNED     NOT NULL COMMENT 'minutes since 1970',
    chain_id BIGINT UNSIGNED  NOT NULL COMMENT '0: of no chain',
    place    TINYINT UNSIGNED NOT NULL COMMENT 'among its buckets or outcomes',
    n        BIGINT UNSIGNED  NOT NULL COMMENT 'counted in that minute, on all hosts',
    PRIMARY KEY (metric, slot, chain_id, place)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 132_series_hours.sql
-- oldest 84
CREATE TABLE IF NOT EXISTS series_hours (
    metric   TINYINT UNSIGNED NOT NULL,
    slot     INT UNSIGNED     NOT NULL COMMENT 'hours since 1970',
    chain_id BIGINT UNSIGNED  NOT NULL COMMENT '0: of no chain',
    place    TINYINT UNSIGNED NOT NULL COMMENT 'among its buckets or outcomes',
    n        BIGINT UNSIGNED  NOT NULL COMMENT 'counted in that hour, on all hosts',
    PRIMARY KEY (metric, slot, chain_id, place)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 133_perps_order_totals.sql
-- oldest 84
ALTER TABLE agents
    ADD COLUMN perps_orders BIGINT NOT NULL DEFAULT 0 COMMENT 'kept total of those that lists show';

-- migration 134_perps_order_totals_so_far.sql
-- oldest 84
UPDATE agents a JOIN (
    SELECT agent_id, COUNT(*) AS shown FROM perps_orders WHERE role = 0 AND status <> 6 GROUP BY agent_id) n ON n.agent_id = a.id
SET a.perps_orders = n.shown;

-- migration 135_trading_key_names.sql
-- oldest 84
ALTER TABLE trading_keys
    ADD COLUMN name VARCHAR(16) CHARACTER SET ascii NOT NULL DEFAULT 'agent-gateway' COMMENT 'by which the venue knows it';

-- migration 136_lend_operation_totals.sql
-- oldest 84
ALTER TABLE agents
    ADD COLUMN lend_operations BIGINT NOT NULL DEFAULT 0 COMMENT 'kept total of all kinds and states';

-- migration 137_lend_operation_totals_so_far.sql
-- oldest 84
UPDATE agents a JOIN (
    SELECT agent_id, SUM(n) AS n FROM execution_totals WHERE kind BETWEEN 8 AND 12 GROUP BY agent_id) t ON t.agent_id = a.id
SET a.lend_operations = t.n;

-- migration 138_perps_orders_behind.sql
-- oldest 84
ALTER TABLE perps_orders
    ADD COLUMN behind TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'how many of the other roles its execution has';

-- migration 139_perps_orders_behind_so_far.sql
-- oldest 84
UPDATE perps_orders o JOIN (
    SELECT execution_id, COUNT(*) AS n FROM perps_orders WHERE role > 0 GROUP BY execution_id) b ON b.execution_id = o.execution_id
SET o.behind = b.n
WHERE o.role = 0;

-- migration 140_perps_orders_children.sql
-- oldest 84
ALTER TABLE perps_orders
    ADD COLUMN gain_cloid BINARY(16) NULL COMMENT 'of the order behind it that takes its gains: what lists show of that row',
    ADD COLUMN gain_trigger BIGINT UNSIGNED NULL,
    ADD COLUMN gain_status TINYINT UNSIGNED NULL,
    ADD COLUMN loss_cloid BINARY(16) NULL COMMENT 'and of the one that stops its losses',
    ADD COLUMN loss_trigger BIGINT UNSIGNED NULL,
    ADD COLUMN loss_status TINYINT UNSIGNED NULL;

-- migration 141_perps_orders_children_so_far.sql
-- oldest 84
-- batches perps_orders
UPDATE perps_orders o
LEFT JOIN perps_orders g FORCE INDEX (execution) ON g.execution_id = o.execution_id AND g.role = 1
LEFT JOIN perps_orders l FORCE INDEX (execution) ON l.execution_id = o.execution_id AND l.role = 2
SET o.gain_cloid = g.cloid, o.gain_trigger = g.trigger_price, o.gain_status = g.status,
    o.loss_cloid = l.cloid, o.loss_trigger = l.trigger_price, o.loss_status = l.status
WHERE o.role = 0 AND o.behind > 0 AND o.id >= ? AND o.id < ?;

-- migration 142_token_decimals.sql
-- oldest 84
CREATE TABLE IF NOT EXISTS token_decimals (
    chain_id   BIGINT UNSIGNED  NOT NULL,
    address    VARCHAR(160)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    decimals   TINYINT UNSIGNED NOT NULL COMMENT 'of a token that no list has: as two nodes have said first, for good',
    created_at DATETIME(3)      NOT NULL,
    PRIMARY KEY (chain_id, address)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 143_idempotency_terms.sql
-- oldest 84
ALTER TABLE idempotency
    ADD COLUMN terms BINARY(32) NULL COMMENT 'SHA-256 of fingerprint and of what is asked for without what expires; NULL: the body alone tells';

-- migration 144_callbacks.sql
-- oldest 84
CREATE TABLE IF NOT EXISTS callbacks (
    id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    agent_id     BIGINT UNSIGNED NOT NULL,
    callback_url VARCHAR(500)    NULL COMMENT 'NULL: webhooks were off',
    secret       VARBINARY(128)  NULL COMMENT 'sealed; what signed at the time',
    set_at       DATETIME(3)     NOT NULL COMMENT 'in force until the next row of the agent',
    answered_at  DATETIME(3)     NULL COMMENT 'of the first 2xx from this URL since',
    KEY agent_page (agent_id, id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 145_security_events.sql
-- oldest 84
ALTER TABLE webhook_events
    ADD COLUMN security TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT '1: keeps its URL, and outlives the callback and the agent',
    ADD COLUMN secret VARBINARY(128) NULL COMMENT 'sealed: signs too, as the receiver may know no later one';

-- migration 146_withdrawal_addresses_contracts.sql
-- oldest 84
ALTER TABLE withdrawal_addresses ADD COLUMN allow_contract VARCHAR(250) CHARACTER SET ascii NULL
    COMMENT 'keys of chains, with commas: it may be paid there though it looks like a contract without an owner';

-- migration 147_wallets_held_on.sql
-- oldest 84
ALTER TABLE wallets ADD COLUMN held_on VARCHAR(500) CHARACTER SET ascii NOT NULL DEFAULT ''
    COMMENT 'keys of chains and names of markets, with commas, where it was seen to hold something';

-- migration 148_approvals_terms.sql
-- oldest 84
ALTER TABLE approvals ADD COLUMN terms TEXT CHARACTER SET utf8mb4 NULL
    COMMENT 'members of the call that asked for it, as JSON: none beside the approval may differ';

-- migration 149_account_changes.sql
-- oldest 84
CREATE TABLE IF NOT EXISTS account_changes (
    execution_id   BIGINT UNSIGNED NOT NULL,
    transaction_id BIGINT UNSIGNED NOT NULL COMMENT 'of the execution; 0: what its bridge paid',
    address        VARCHAR(160)    CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    chain_id       BIGINT UNSIGNED NOT NULL,
    block_number   BIGINT UNSIGNED NOT NULL,
    changes        TEXT            CHARACTER SET ascii COLLATE ascii_bin NULL COMMENT 'token, what left, what came, as JSON; NULL: not known',
    recorded_at    DATETIME(3)     NOT NULL,
    PRIMARY KEY (execution_id, transaction_id),
    KEY account (address, chain_id, block_number),
    KEY recorded (recorded_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- migration 150_orders_fees.sql
-- oldest 84
ALTER TABLE orders
    ADD COLUMN fee_rate     INT UNSIGNED     NOT NULL DEFAULT 0 COMMENT 'billionths: what takers pay in its market, of shares x (price x (1 - price)) ^ exponent',
    ADD COLUMN fee_exponent TINYINT UNSIGNED NOT NULL DEFAULT 0;

-- migration 151_predict_orders.sql
-- oldest 1001
RENAME TABLE orders TO predict_orders;

-- migration 152_predict_fills.sql
-- oldest 1001
RENAME TABLE fills TO predict_fills;

-- migration 153_lease_until_of_predict_accounts.sql
-- oldest 1001
ALTER TABLE predict_accounts RENAME COLUMN leased_until TO lease_until;

-- migration 154_lease_until_of_perps_accounts.sql
-- oldest 1001
ALTER TABLE perps_accounts RENAME COLUMN leased_until TO lease_until;

-- migration 155_leases_of_idempotency.sql
-- oldest 1001
ALTER TABLE idempotency RENAME COLUMN owner TO lease_owner;

-- migration 156_leases_of_tasks.sql
-- oldest 1001
ALTER TABLE tasks RENAME COLUMN run TO lease_owner;

-- migration 157_upstream_cache.sql
-- oldest 1001
RENAME TABLE upstream_answers TO upstream_cache;

-- migration 158_upstream_cache_columns.sql
-- oldest 1001
ALTER TABLE upstream_cache
    RENAME COLUMN question TO cache_key,
    RENAME COLUMN asker TO lease_owner,
    RENAME COLUMN asked_until TO lease_until,
    RENAME COLUMN touched_at TO used_at,
    RENAME INDEX touched TO used;

-- migration 159_db_epochs.sql
-- oldest 1001
RENAME TABLE pulses TO db_epochs;

-- migration 160_db_epochs_columns.sql
-- oldest 1001
ALTER TABLE db_epochs RENAME COLUMN beats TO epoch;

-- migration 161_bridge_deliveries.sql
-- oldest 1001
RENAME TABLE arrivals TO bridge_deliveries;

-- migration 162_bridges_columns.sql
-- oldest 1001
ALTER TABLE bridges
    RENAME COLUMN carrier TO provider,
    RENAME COLUMN asks TO polls,
    RENAME COLUMN asked_at TO polled_at,
    RENAME COLUMN next_ask_at TO next_poll_at;

-- migration 163_transactions_submit_via.sql
-- oldest 1001
ALTER TABLE transactions RENAME COLUMN door TO submit_via, RENAME COLUMN said TO last_reply;

-- migration 164_requests_last_reply.sql
-- oldest 1001
ALTER TABLE requests RENAME COLUMN said TO last_reply;

-- migration 165_version_of_wallets.sql
-- oldest 1001
ALTER TABLE wallets RENAME COLUMN turn TO version;

-- migration 166_version_of_quotas.sql
-- oldest 1001
ALTER TABLE quotas RENAME COLUMN turn TO version;

-- migration 167_version_of_lend_watches.sql
-- oldest 1001
ALTER TABLE lend_watches RENAME COLUMN turn TO version;

-- migration 168_lend_monitors.sql
-- oldest 1001
RENAME TABLE lend_watches TO lend_monitors;

-- migration 169_lend_monitors_columns.sql
-- oldest 1001
ALTER TABLE lend_monitors
    RENAME COLUMN looked_at TO polled_at,
    RENAME COLUMN low TO alerted,
    RENAME COLUMN debtless TO polls_without_debt,
    RENAME COLUMN missing TO polls_unexplained,
    RENAME COLUMN held_block TO position_block,
    RENAME COLUMN held TO position,
    RENAME COLUMN told_block TO announced_block;

-- migration 170_predict_accounts_columns.sql
-- oldest 1001
ALTER TABLE predict_accounts RENAME COLUMN form TO proxy_kind, RENAME COLUMN seek TO resync_orders;

-- migration 171_predict_orders_columns.sql
-- oldest 1001
ALTER TABLE predict_orders RENAME COLUMN looked_at TO polled_at, RENAME COLUMN missed TO missed_polls;

-- migration 172_perps_orders_columns.sql
-- oldest 1001
ALTER TABLE perps_orders
    RENAME COLUMN looked_at TO unknown_at,
    RENAME COLUMN behind TO children,
    RENAME COLUMN gain_cloid TO take_profit_cloid,
    RENAME COLUMN gain_trigger TO take_profit_trigger,
    RENAME COLUMN gain_status TO take_profit_status,
    RENAME COLUMN loss_cloid TO stop_loss_cloid,
    RENAME COLUMN loss_trigger TO stop_loss_trigger,
    RENAME COLUMN loss_status TO stop_loss_status;

-- migration 173_perps_fills_columns.sql
-- oldest 1001
ALTER TABLE perps_fills RENAME COLUMN gain TO closed_pnl;

-- migration 174_trading_halts.sql
-- oldest 1001
RENAME TABLE trading_stops TO trading_halts;

-- migration 175_trading_halts_columns.sql
-- oldest 1001
ALTER TABLE trading_halts RENAME COLUMN stopped TO halts;

-- migration 176_trading_shards.sql
-- oldest 1001
RENAME TABLE trading_lanes TO trading_shards;

-- migration 177_trading_shards_columns.sql
-- oldest 1001
ALTER TABLE trading_shards RENAME COLUMN lane TO shard, RENAME COLUMN passed TO writes;

-- migration 178_foreign_nonces.sql
-- oldest 1001
RENAME TABLE taken_nonces TO foreign_nonces;

-- migration 179_agents_previous_secret.sql
-- oldest 1001
ALTER TABLE agents RENAME COLUMN former_secret TO previous_secret, RENAME COLUMN former_until TO previous_secret_until;

-- migration 180_execution_marks_made_id.sql
-- oldest 1001
ALTER TABLE execution_marks_made RENAME COLUMN one TO id;

-- migration 181_approvals_keys.sql
-- oldest 1001
ALTER TABLE approvals RENAME INDEX swap_id TO execution;

-- migration 182_execution_history_keys.sql
-- oldest 1001
ALTER TABLE execution_history RENAME INDEX swap_id TO execution;

-- migration 183_tasks_keys.sql
-- oldest 1001
ALTER TABLE tasks RENAME INDEX swap TO execution;
