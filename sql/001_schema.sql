-- oldest 1001
-- The schema of release 1.0.0: each table once, by subject. Later files change it, in their order.
--
-- A table is a plural noun, with its market's or resource's name in front; a table of sums ends in _totals. `id` is a row's
-- own number, X_id the id of a row of Xs. Times end in _at, in _until where they are an end, and are UTC, with milliseconds.
-- Amounts are BINARY(32), big-endian, in smallest units, unless the comment says another unit; a BIGINT of 10^-8 dollars has
-- 100,000,000 for one dollar. Rates end in _ppm. A process holds a row as lease_owner until lease_until. No foreign keys:
-- rows are removed by the purge of their agent, and a cluster needs a primary key in each table.
--
-- Not here: schema_version, one row, which schema-migrate makes for itself (lib/store/migrate.c).

-- ---------------- Agents
-- The parties that call the gateway, what they may call, and what they have stored.

-- An agent: one API key, one owner of wallets.
CREATE TABLE IF NOT EXISTS agents (
    id                    BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT COMMENT 'number inside the gateway; agents see the uuid',
    uuid                  BINARY(16)       NOT NULL COMMENT 'id in answers',
    key_hash              BINARY(32)       NOT NULL COMMENT 'SHA-256 of the API key, which has 256 random bits',
    status                TINYINT UNSIGNED NOT NULL DEFAULT 1 COMMENT '1 active 2 deactivated',
    name                  VARCHAR(100)     NOT NULL COMMENT 'name that the agent registered with',
    description           VARCHAR(500)     NULL COMMENT 'text of the agent',
    tier                  VARCHAR(32)      CHARACTER SET ascii NOT NULL DEFAULT 'standard'
        COMMENT 'class of rate limits and quotas, by its name in the settings',
    callback_url          VARCHAR(500)     NULL COMMENT 'where webhooks are sent; NULL: none are',
    webhook_secret        VARBINARY(128)   NULL COMMENT 'key that signs webhooks, sealed under the service key',
    previous_secret       VARBINARY(128)   NULL COMMENT 'previous webhook secret, sealed; signs too until previous_secret_until',
    previous_secret_until DATETIME(3)      NULL COMMENT 'end of previous_secret',
    metadata              MEDIUMTEXT       NULL COMMENT 'JSON object of the agent',
    total_requests        BIGINT UNSIGNED  NOT NULL DEFAULT 0 COMMENT 'requests served, added from shared memory by each host',
    swaps_pending         BIGINT           NOT NULL DEFAULT 0 COMMENT 'swaps whose listed status is pending',
    swaps_submitted       BIGINT           NOT NULL DEFAULT 0 COMMENT 'swaps whose listed status is submitted',
    swaps_completed       BIGINT           NOT NULL DEFAULT 0 COMMENT 'swaps whose listed status is completed',
    swaps_failed          BIGINT           NOT NULL DEFAULT 0 COMMENT 'swaps whose listed status is failed',
    created_at            DATETIME(3)      NOT NULL COMMENT 'when it was made',
    last_active_at        DATETIME(3)      NOT NULL COMMENT 'last request, to about a minute',
    updated_at            DATETIME(3)      NULL COMMENT 'last change of profile, tier or status; NULL: unchanged since registration',
    swaps_marked_upto     BIGINT UNSIGNED  NOT NULL DEFAULT 0
        COMMENT 'executions.id up to which its rows in execution_marks hold; later rows are out of date',
    banned                TINYINT UNSIGNED NOT NULL DEFAULT 0
        COMMENT '1: banned, a copy of its row in trading_halts for the look-up by key',
    orders_pending        BIGINT           NOT NULL DEFAULT 0 COMMENT 'orders at Polymarket whose status is pending',
    orders_open           BIGINT           NOT NULL DEFAULT 0 COMMENT 'orders at Polymarket whose status is open',
    orders_filled         BIGINT           NOT NULL DEFAULT 0 COMMENT 'orders at Polymarket whose status is filled',
    orders_cancelled      BIGINT           NOT NULL DEFAULT 0 COMMENT 'orders at Polymarket whose status is cancelled',
    orders_rejected       BIGINT           NOT NULL DEFAULT 0 COMMENT 'orders at Polymarket whose status is rejected',
    perps_orders          BIGINT           NOT NULL DEFAULT 0
        COMMENT 'orders for perpetuals that lists show: role 0, not waiting for approval',
    lend_operations       BIGINT           NOT NULL DEFAULT 0 COMMENT 'operations at lenders, of all kinds and states',
    PRIMARY KEY (id),
    UNIQUE KEY uuid (uuid),
    UNIQUE KEY key_hash (key_hash)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Callback URLs of an agent and the secrets that signed for them, in order: security events go to earlier ones too.
CREATE TABLE IF NOT EXISTS callbacks (
    id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT COMMENT 'number',
    agent_id     BIGINT UNSIGNED NOT NULL COMMENT 'agents.id',
    callback_url VARCHAR(500)    NULL COMMENT 'URL; NULL: webhooks were off',
    secret       VARBINARY(128)  NULL COMMENT 'webhook secret of that time, sealed under the service key',
    set_at       DATETIME(3)     NOT NULL COMMENT 'in force from then until the agent''s next row',
    answered_at  DATETIME(3)     NULL COMMENT 'first 2xx from this URL; NULL: none yet',
    PRIMARY KEY (id),
    KEY agent_page (agent_id, id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Bytes that an agent may store: the row that its writers lock, and its lines in the audit log.
CREATE TABLE IF NOT EXISTS quotas (
    agent_id    BIGINT UNSIGNED NOT NULL COMMENT 'agents.id',
    version     BIGINT UNSIGNED NOT NULL DEFAULT 0
        COMMENT 'optimistic lock, incremented by each writer, so that two nodes of a cluster collide',
    audit_day   DATE            NULL COMMENT 'day (UTC) that audit_lines counts',
    audit_lines INT UNSIGNED    NOT NULL DEFAULT 0 COMMENT 'lines of the audit log that the agent caused on that day',
    PRIMARY KEY (agent_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Answers recorded for an Idempotency-Key.
CREATE TABLE IF NOT EXISTS idempotency (
    agent_id    BIGINT UNSIGNED   NOT NULL COMMENT 'agents.id',
    scope       BINARY(32)        NOT NULL COMMENT 'SHA-256 of method, path and key',
    fingerprint BINARY(32)        NOT NULL COMMENT 'SHA-256 of the body',
    lease_owner BINARY(16)        NOT NULL COMMENT 'run that may record its answer',
    lease_until DATETIME(3)       NOT NULL
        COMMENT 'the run has until then; afterwards the answer is recorded, or the request runs again',
    status      SMALLINT UNSIGNED NULL COMMENT 'HTTP status of the recorded answer; NULL: not recorded yet',
    body        MEDIUMTEXT        NULL COMMENT 'body of the recorded answer',
    expires_at  DATETIME(3)       NOT NULL COMMENT 'the key is free again afterwards',
    bytes       INT UNSIGNED      NOT NULL DEFAULT 0 COMMENT 'bytes that count for the agent''s quota',
    terms       BINARY(32)        NULL
        COMMENT 'SHA-256 of fingerprint and of the request without members that expire; NULL: the body alone counts',
    PRIMARY KEY (agent_id, scope),
    KEY expires_at (expires_at),
    KEY agent_bytes (agent_id, bytes)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Agents that were deleted and whose rows are being removed.
CREATE TABLE IF NOT EXISTS purges (
    agent_id   BIGINT UNSIGNED NOT NULL COMMENT 'agents.id of the deleted agent',
    created_at DATETIME(3)     NOT NULL COMMENT 'when it was made',
    next_at    DATETIME(3)     NOT NULL COMMENT 'next attempt; a process that works on it moves this forward as a lease',
    PRIMARY KEY (agent_id),
    KEY next_at (next_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Trading halts: bans of an agent, halts of one agent or of all.
CREATE TABLE IF NOT EXISTS trading_halts (
    agent_id   BIGINT UNSIGNED  NOT NULL COMMENT 'agents.id; 0: all agents, a row that always exists and is the lock',
    halts      TINYINT UNSIGNED NOT NULL COMMENT 'bits: 1 halted 2 banned 4 database restored',
    changed_at DATETIME(3)      NOT NULL COMMENT 'last change',
    PRIMARY KEY (agent_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

INSERT IGNORE INTO trading_halts (agent_id, halts, changed_at) VALUES (0, 0, UTC_TIMESTAMP(3));

-- Shards of agents by the remainder of their id: on a cluster a trade writes the row of its shard and a halt writes
-- all, so that they collide.
CREATE TABLE IF NOT EXISTS trading_shards (
    shard  TINYINT UNSIGNED NOT NULL COMMENT 'agents.id modulo the number of rows',
    writes BIGINT UNSIGNED  NOT NULL DEFAULT 0 COMMENT 'writes, counted so that each one changes the row',
    PRIMARY KEY (shard)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

INSERT IGNORE INTO trading_shards (shard) VALUES
    (0), (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12), (13), (14), (15),
    (16), (17), (18), (19), (20), (21), (22), (23), (24), (25), (26), (27), (28), (29), (30), (31),
    (32), (33), (34), (35), (36), (37), (38), (39), (40), (41), (42), (43), (44), (45), (46), (47),
    (48), (49), (50), (51), (52), (53), (54), (55), (56), (57), (58), (59), (60), (61), (62), (63);

-- Bearer tokens of operators.
CREATE TABLE IF NOT EXISTS operator_tokens (
    id         BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT COMMENT 'number',
    name       VARCHAR(64)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL
        COMMENT 'operator that holds it, for the audit log',
    in_force   TINYINT UNSIGNED DEFAULT 1 COMMENT '1; NULL: revoked, so that the name is free again',
    digest     BINARY(32)       NOT NULL COMMENT 'SHA-256 of the token, which has 256 random bits',
    read_only  TINYINT UNSIGNED NOT NULL COMMENT '1: may not change anything',
    created_at DATETIME(3)      NOT NULL COMMENT 'when it was made',
    revoked_at DATETIME(3)      NULL COMMENT 'NULL: in force',
    PRIMARY KEY (id),
    UNIQUE KEY digest (digest),
    UNIQUE KEY in_force (in_force, name)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;


-- ---------------- Wallets
-- Wallets, the keys that sign for them, and their sequence numbers.

-- A wallet of an agent.
CREATE TABLE IF NOT EXISTS wallets (
    id         BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT COMMENT 'number',
    uuid       BINARY(16)       NOT NULL COMMENT 'id that the sealed key is bound to',
    agent_id   BIGINT UNSIGNED  NOT NULL COMMENT 'agents.id',
    agent_uuid BINARY(16)       NOT NULL COMMENT 'agents.uuid that the sealed key is bound to; a purge still cancels with it',
    kind       TINYINT UNSIGNED NOT NULL COMMENT '1 EVM 2 Solana',
    address    VARCHAR(80)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'EIP-55 or Base58',
    sealed_key VARBINARY(128)   NOT NULL COMMENT 'private key, which only the signer can open',
    created_at DATETIME(3)      NOT NULL COMMENT 'when it was made',
    version    BIGINT UNSIGNED  NOT NULL DEFAULT 0
        COMMENT 'optimistic lock, incremented by each process that sums up or changes its policies',
    held_on    VARCHAR(500)     CHARACTER SET ascii NOT NULL DEFAULT ''
        COMMENT 'keys of chains and names of markets where a balance was seen, comma separated',
    PRIMARY KEY (id),
    UNIQUE KEY uuid (uuid),
    UNIQUE KEY kind (kind, address),
    KEY agent_id (agent_id, kind, id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Next sequence number of a wallet on a chain.
CREATE TABLE IF NOT EXISTS wallet_nonces (
    wallet_id  BIGINT UNSIGNED NOT NULL COMMENT 'wallets.id',
    chain_id   BIGINT UNSIGNED NOT NULL COMMENT 'chain, by its number in model/chains',
    next_nonce BIGINT UNSIGNED NOT NULL COMMENT 'lowest nonce that was never committed here',
    PRIMARY KEY (wallet_id, chain_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Nonces that a chain counts as used and that no known receipt explains: the search for the transaction that used
-- them.
CREATE TABLE IF NOT EXISTS foreign_nonces (
    wallet_id BIGINT UNSIGNED NOT NULL COMMENT 'wallets.id',
    chain_id  BIGINT UNSIGNED NOT NULL COMMENT 'chain, by its number in model/chains',
    nonce     BIGINT UNSIGNED NOT NULL COMMENT 'nonce in question',
    top       BIGINT UNSIGNED NOT NULL COMMENT 'block where the search began',
    span      BIGINT UNSIGNED NOT NULL COMMENT 'blocks to search before the search begins again from a newer block',
    block     BIGINT UNSIGNED NOT NULL COMMENT 'next block to search, or the one where it was found',
    hash      BINARY(32)      NULL COMMENT 'transaction that used the nonce; NULL: not found yet',
    PRIMARY KEY (wallet_id, chain_id, nonce)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Highest nonce of a key that signs requests to venues.
CREATE TABLE IF NOT EXISTS signing_nonces (
    signing_key VARBINARY(64)   NOT NULL COMMENT 'address or public key',
    last        BIGINT UNSIGNED NOT NULL COMMENT 'highest nonce given out',
    PRIMARY KEY (signing_key)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Keys that trade for a wallet at a venue, which the wallet has approved there (agent wallets of Hyperliquid).
CREATE TABLE IF NOT EXISTS trading_keys (
    id           BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT COMMENT 'number',
    agent_id     BIGINT UNSIGNED  NOT NULL COMMENT 'agents.id',
    wallet_id    BIGINT UNSIGNED  NOT NULL COMMENT 'wallets.id that it trades for',
    execution_id BIGINT UNSIGNED  NOT NULL COMMENT 'executions.id that approves it at the venue',
    address      VARCHAR(80)      CHARACTER SET ascii NOT NULL COMMENT 'address of the key',
    sealed_key   VARBINARY(128)   NOT NULL COMMENT 'private key, which only the signer can open',
    approved     TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT '1: the venue accepts it',
    valid_until  DATETIME(3)      NOT NULL COMMENT 'the venue refuses it afterwards',
    ended_at     DATETIME(3)      NULL COMMENT 'nothing is signed with it since; NULL: in use',
    created_at   DATETIME(3)      NOT NULL COMMENT 'when it was made',
    name         VARCHAR(16)      CHARACTER SET ascii NOT NULL DEFAULT 'agent-gateway' COMMENT 'name of the key at the venue',
    PRIMARY KEY (id),
    UNIQUE KEY address (address),
    KEY wallet (wallet_id, id),
    KEY agent (agent_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Addresses that an agent may withdraw to.
CREATE TABLE IF NOT EXISTS withdrawal_addresses (
    id             BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT COMMENT 'number',
    agent_id       BIGINT UNSIGNED  NOT NULL COMMENT 'agents.id',
    kind           TINYINT UNSIGNED NOT NULL COMMENT 'wallets that can pay it: 1 EVM 2 Solana',
    address        VARCHAR(80)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'EIP-55 or Base58',
    label          VARCHAR(64)      CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NULL COMMENT 'name that the agent gave it',
    record         VARBINARY(255)   NOT NULL COMMENT 'sealed record of the signer, which counts, not this row',
    created_at     DATETIME(3)      NOT NULL COMMENT 'when it was made',
    active_at      DATETIME(3)      NOT NULL COMMENT 'withdrawals are accepted from then on',
    asked_at       DATETIME(3)      NULL COMMENT 'when the other hosts were asked to record its removal',
    asked_by       BINARY(16)       NULL COMMENT 'host that asked, as in db_epochs',
    taken_by       VARBINARY(16000) NOT NULL DEFAULT '' COMMENT 'hosts whose signers have recorded the removal, 16 bytes each',
    removed_at     DATETIME(3)      NULL COMMENT 'NULL: in force',
    present        TINYINT UNSIGNED AS (if(removed_at is null,1,NULL)) STORED
        COMMENT '1; NULL: removed, so that address and label are free again',
    allow_contract VARCHAR(250)     CHARACTER SET ascii NULL
        COMMENT 'keys of chains, comma separated, where it may be paid though it is a contract without a known owner',
    PRIMARY KEY (id),
    UNIQUE KEY address (agent_id, kind, address, present),
    UNIQUE KEY label (agent_id, kind, label, present),
    KEY asked (asked_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;


-- ---------------- Quotes
-- Prices, tokens and what is cached of providers.

-- A quote that an agent may execute once.
CREATE TABLE IF NOT EXISTS quotes (
    id             BINARY(16)       NOT NULL COMMENT '128 random bits',
    agent_id       BIGINT UNSIGNED  NOT NULL COMMENT 'agents.id',
    provider       VARCHAR(32)      CHARACTER SET ascii NOT NULL
        COMMENT 'provider that made the offer, by its key in the settings',
    from_chain     BIGINT UNSIGNED  NOT NULL COMMENT 'chain of the token that is sold',
    to_chain       BIGINT UNSIGNED  NOT NULL COMMENT 'chain of the token that is bought',
    from_symbol    VARCHAR(32)      NOT NULL COMMENT 'symbol of the token that is sold',
    from_address   VARCHAR(160)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'its address, as the chain writes it',
    from_decimals  TINYINT UNSIGNED NOT NULL COMMENT 'its decimals',
    to_symbol      VARCHAR(32)      NOT NULL COMMENT 'symbol of the token that is bought',
    to_address     VARCHAR(160)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'its address, as the chain writes it',
    to_decimals    TINYINT UNSIGNED NOT NULL COMMENT 'its decimals',
    amount_in      BINARY(32)       NOT NULL COMMENT 'amount to sell, smallest units',
    amount_out     BINARY(32)       NOT NULL COMMENT 'expected amount to receive, smallest units',
    min_out        BINARY(32)       NOT NULL COMMENT 'least amount to receive after slippage, smallest units',
    slippage_ppm   INT UNSIGNED     NOT NULL COMMENT 'slippage, millionths',
    gas_units      BIGINT UNSIGNED  NOT NULL COMMENT 'estimated gas, units of gas',
    route          VARBINARY(512)   NOT NULL COMMENT 'instructions of the provider for building the transaction',
    wallet_address VARCHAR(80)      CHARACTER SET ascii COLLATE ascii_bin NULL COMMENT 'paying wallet named by the request',
    created_at     DATETIME(3)      NOT NULL COMMENT 'when it was made',
    expires_at     DATETIME(3)      NOT NULL COMMENT 'not executed afterwards',
    consumed_at    DATETIME(3)      NULL COMMENT 'taken by an accepted execute; NULL: not yet',
    max_impact_ppm INT UNSIGNED     NOT NULL DEFAULT 4294967295
        COMMENT 'greatest price impact that the agent allows, millionths; 4294967295: none named, the operator''s limit counts',
    offers         MEDIUMBLOB       NULL COMMENT 'other offers, the best first, as the gateway encodes them',
    reference      VARBINARY(291)   NULL
        COMMENT 'routes whose price for a small part is the reference price, as the gateway encodes them',
    recipient      VARCHAR(160)     CHARACTER SET ascii COLLATE ascii_bin NULL
        COMMENT 'receiver on a chain of another family; NULL: the paying wallet, or not known yet',
    PRIMARY KEY (id),
    KEY expires_at (expires_at),
    KEY by_agent (agent_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Statistics of providers, over all hosts.
CREATE TABLE IF NOT EXISTS providers (
    provider VARCHAR(32)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'key in the settings',
    asked    BIGINT UNSIGNED NOT NULL COMMENT 'requests sent',
    answered BIGINT UNSIGNED NOT NULL COMMENT 'requests answered',
    took_ms  BIGINT UNSIGNED NOT NULL COMMENT 'milliseconds of all requests together',
    findings BIGINT UNSIGNED NOT NULL COMMENT 'transactions that did not match the offer',
    asked_at DATETIME(3)     NOT NULL COMMENT 'last request',
    PRIMARY KEY (provider)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

-- Tokens of the lists that are read every hour.
CREATE TABLE IF NOT EXISTS tokens (
    chain_id   BIGINT UNSIGNED  NOT NULL COMMENT 'chain, by its number in model/chains',
    address    VARCHAR(160)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'as the chain writes it',
    symbol     VARCHAR(32)      NOT NULL COMMENT 'symbol in the list',
    decimals   TINYINT UNSIGNED NOT NULL COMMENT 'decimals, from the list or the chain',
    name       VARCHAR(80)      NOT NULL COMMENT 'name in the list',
    checked    TINYINT UNSIGNED NOT NULL COMMENT '1: decimals confirmed by the chain',
    place      INT UNSIGNED     NOT NULL COMMENT 'position in its list, from 0',
    renewed_at DATETIME(3)      NOT NULL COMMENT 'last time that a list had it',
    PRIMARY KEY (chain_id, address),
    KEY listed (chain_id, place),
    KEY by_symbol (chain_id, symbol)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

-- Decimals of tokens that no list has, agreed on by two nodes; kept for good.
CREATE TABLE IF NOT EXISTS token_decimals (
    chain_id   BIGINT UNSIGNED  NOT NULL COMMENT 'chain, by its number in model/chains',
    address    VARCHAR(160)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'as the chain writes it',
    decimals   TINYINT UNSIGNED NOT NULL COMMENT 'places after the point of one token',
    created_at DATETIME(3)      NOT NULL COMMENT 'when it was made',
    PRIMARY KEY (chain_id, address)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Answers of other services that hosts share.
CREATE TABLE IF NOT EXISTS upstream_cache (
    cache_key   BINARY(32)  NOT NULL COMMENT 'SHA-256 of the request',
    answer      MEDIUMTEXT  NULL COMMENT 'members of the gateway''s answer, JSON; NULL: none yet',
    made_at     DATETIME(3) NULL COMMENT 'when the answer was made; NULL: none yet',
    lease_owner BINARY(16)  NULL COMMENT 'process that requests it now',
    lease_until DATETIME(3) NULL COMMENT 'end of its lease',
    used_at     DATETIME(3) NOT NULL COMMENT 'last use',
    PRIMARY KEY (cache_key),
    KEY used (used_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;


-- ---------------- Executions
-- What is carried out: one row of executions for each action that moves money, and its transactions on chains or
-- requests to venues.

-- An action that was accepted, carried out at most once.
CREATE TABLE IF NOT EXISTS executions (
    id                  BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT COMMENT 'number',
    agent_id            BIGINT UNSIGNED  NOT NULL COMMENT 'agents.id',
    wallet_id           BIGINT UNSIGNED  NOT NULL COMMENT 'wallets.id',
    kind                TINYINT UNSIGNED NOT NULL COMMENT '1 swap 2 transfer, and so on, as in model/execution.h',
    in_swaps            TINYINT UNSIGNED AS (kind = 1) STORED COMMENT '1: GET /swaps lists it and GET /me counts it',
    venue               VARCHAR(32)      CHARACTER SET ascii NOT NULL
        COMMENT 'provider, exchange or protocol that carries it out',
    once                BINARY(16)       NOT NULL
        COMMENT 'id of the quote or approval that it consumed, else random: nothing is carried out twice',
    status              TINYINT UNSIGNED NOT NULL COMMENT '1 pending 2 submitted 3 processing 4 completed 5 failed 6 expired',
    listed              TINYINT UNSIGNED AS (case status when 3 then 1 when 6 then 5 else status end) STORED
        COMMENT 'status that lists and filters show: 1 pending 2 submitted 4 completed 5 failed',
    in_flight           TINYINT UNSIGNED NOT NULL DEFAULT 1
        COMMENT '0 settled 1 followed until settle depth 2 to be checked once more',
    corrected           TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT '1: an announced failure was taken back',
    from_chain          BIGINT UNSIGNED  NOT NULL COMMENT 'chain of the token that is spent',
    from_symbol         VARCHAR(32)      NOT NULL COMMENT 'symbol of the token that is spent',
    from_address        VARCHAR(160)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL
        COMMENT 'its address, as the chain writes it',
    from_decimals       TINYINT UNSIGNED NOT NULL COMMENT 'its decimals',
    amount_in           BINARY(32)       NOT NULL COMMENT 'amount that is spent, smallest units',
    to_chain            BIGINT UNSIGNED  NULL
        COMMENT 'chain of the token that is received; NULL here and below: nothing is received',
    to_symbol           VARCHAR(32)      NULL COMMENT 'symbol of the token that is received',
    to_address          VARCHAR(160)     CHARACTER SET ascii COLLATE ascii_bin NULL COMMENT 'its address, as the chain writes it',
    to_decimals         TINYINT UNSIGNED NULL COMMENT 'its decimals',
    expected_out        BINARY(32)       NULL COMMENT 'amount expected, smallest units',
    min_out             BINARY(32)       NULL COMMENT 'least amount accepted, smallest units',
    amount_out          BINARY(32)       NULL COMMENT 'amount received, smallest units, from the receipt; NULL: not known',
    tx_hash             VARBINARY(64)    NULL COMMENT 'transaction that a node accepted; NULL: none yet',
    error_code          VARCHAR(40)      CHARACTER SET ascii NULL COMMENT 'code of the failure',
    error_message       VARCHAR(200)     NULL COMMENT 'message of the failure, for the agent',
    created_at          DATETIME(3)      NOT NULL COMMENT 'when it was made',
    updated_at          DATETIME(3)      NOT NULL COMMENT 'last change',
    completed_at        DATETIME(3)      NULL COMMENT 'end; NULL: not ended',
    valid_until         DATETIME(3)      NOT NULL COMMENT 'nothing of it is broadcast afterwards',
    due_at              DATETIME(3)      NOT NULL COMMENT 'next poll, at the pace of its venue',
    lease_owner         BINARY(16)       NULL COMMENT 'process that works on it; NULL: none',
    lease_until         DATETIME(3)      NULL COMMENT 'end of its lease',
    approval_id         BINARY(16)       NULL COMMENT 'approvals.id; NULL: needed none',
    approval_expires_at DATETIME(3)      NULL COMMENT 'approvals.expires_at',
    request_id          VARCHAR(64)      CHARACTER SET ascii COLLATE ascii_bin NULL
        COMMENT 'X-Request-Id of the request that it was accepted in',
    PRIMARY KEY (id),
    UNIQUE KEY once (once),
    KEY agent_page (agent_id, in_swaps, id),
    KEY agent_listed_page (agent_id, in_swaps, listed, id),
    KEY due (in_flight, due_at),
    KEY leased (lease_owner),
    KEY request (request_id(20))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Each change of an execution's status.
CREATE TABLE IF NOT EXISTS execution_history (
    id           BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT COMMENT 'number',
    execution_id BIGINT UNSIGNED  NOT NULL COMMENT 'executions.id',
    from_status  TINYINT UNSIGNED NOT NULL COMMENT 'status before; 0: new',
    to_status    TINYINT UNSIGNED NOT NULL COMMENT 'status after',
    why          VARCHAR(200)     NOT NULL COMMENT 'reason, in words',
    created_at   DATETIME(3)      NOT NULL COMMENT 'when it was made',
    PRIMARY KEY (id),
    KEY execution (execution_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Signed transactions of an execution.
CREATE TABLE IF NOT EXISTS transactions (
    id           BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT COMMENT 'number',
    execution_id BIGINT UNSIGNED  NOT NULL COMMENT 'executions.id',
    leg          TINYINT UNSIGNED NOT NULL DEFAULT 1 COMMENT '1 on the source chain 2 on the destination',
    wallet_id    BIGINT UNSIGNED  NOT NULL COMMENT 'wallets.id',
    chain_id     BIGINT UNSIGNED  NOT NULL COMMENT 'chain, by its number in model/chains',
    nonce        BIGINT UNSIGNED  NULL COMMENT 'sequence number of the wallet; NULL where the chain has none',
    kind         TINYINT UNSIGNED NOT NULL COMMENT '1 approval 2 spend 3 cancel 4 bridge_in 5 bridge_out',
    state        TINYINT UNSIGNED NOT NULL COMMENT '1 open 2 included 3 settled 4 lost: another transaction used the nonce',
    hash         VARBINARY(64)    NULL COMMENT 'id on the chain; NULL until the first signer has signed',
    raw          MEDIUMBLOB       NOT NULL COMMENT 'signed bytes, broadcast again as they are',
    expiry       BIGINT UNSIGNED  NULL
        COMMENT 'last block height or Unix second that accepts it, as the chain counts; NULL: none',
    gas_limit    BIGINT UNSIGNED  NOT NULL COMMENT 'units of gas, or of compute',
    max_fee      BINARY(32)       NOT NULL COMMENT 'greatest fee per unit of gas, smallest units of the native coin',
    priority_fee BINARY(32)       NOT NULL COMMENT 'part of it for the block''s producer, smallest units of the native coin',
    value        BINARY(32)       NOT NULL COMMENT 'native coin that it sends, smallest units',
    token        VARBINARY(160)   NULL COMMENT 'token that it spends or allows besides the native coin',
    token_amount BINARY(32)       NULL COMMENT 'amount of that token, smallest units',
    spender      VARBINARY(160)   NULL COMMENT 'address that it allows to spend the token',
    block_number BIGINT UNSIGNED  NULL COMMENT 'block that includes it; NULL: none',
    succeeded    TINYINT UNSIGNED NULL COMMENT '1 succeeded 0 reverted; NULL: not included',
    broadcasts   INT UNSIGNED     NOT NULL DEFAULT 0 COMMENT 'times sent to a node',
    accepted     TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT '1: a node accepted it at least once',
    refusals     INT UNSIGNED     NOT NULL DEFAULT 0 COMMENT 'times refused for good',
    last_reply   TINYINT UNSIGNED NOT NULL DEFAULT 0
        COMMENT 'last reply of a node: 0 none 1 accepted 2 fee too low 3 insufficient funds 4 refused for good',
    broadcast_at DATETIME(3)      NULL COMMENT 'last broadcast',
    created_at   DATETIME(3)      NOT NULL COMMENT 'when it was made',
    submit_via   VARCHAR(64)      CHARACTER SET ascii COLLATE ascii_bin NULL
        COMMENT 'relay of its builder that it is submitted to, signed; NULL: nodes alone',
    PRIMARY KEY (id),
    UNIQUE KEY hash (hash),
    KEY execution (execution_id),
    KEY open_nonces (wallet_id, chain_id, state, nonce)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Signed requests of an execution to a venue.
CREATE TABLE IF NOT EXISTS requests (
    id           BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT COMMENT 'number',
    execution_id BIGINT UNSIGNED  NOT NULL COMMENT 'executions.id',
    wallet_id    BIGINT UNSIGNED  NOT NULL COMMENT 'wallets.id',
    venue        VARCHAR(32)      CHARACTER SET ascii NOT NULL COMMENT 'venue that it is for',
    venue_key    BINARY(32)       NOT NULL COMMENT 'key by which the venue tells it from others, mostly the signed digest',
    signing_key  VARBINARY(64)    NOT NULL COMMENT 'address or public key that signed it',
    nonce        BIGINT UNSIGNED  NULL COMMENT 'sequence number of the key; NULL where the venue has none',
    state        TINYINT UNSIGNED NOT NULL
        COMMENT '1 open 2 included: the venue has it 3 settled 4 lost: the venue refuses it from now on',
    body         MEDIUMBLOB       NOT NULL COMMENT 'signed bytes, sent again as they are',
    expires_at   DATETIME(3)      NULL COMMENT 'the venue refuses it afterwards; NULL: no end known',
    succeeded    TINYINT UNSIGNED NULL COMMENT '1 succeeded 0 failed; NULL: not known',
    broadcasts   INT UNSIGNED     NOT NULL DEFAULT 0 COMMENT 'times sent to the venue',
    accepted     TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT '1: the venue accepted it at least once',
    refusals     INT UNSIGNED     NOT NULL DEFAULT 0 COMMENT 'times refused for good',
    last_reply   TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'last reply of the venue, as in transactions',
    broadcast_at DATETIME(3)      NULL COMMENT 'last broadcast',
    created_at   DATETIME(3)      NOT NULL COMMENT 'when it was made',
    unknown_at   DATETIME(3)      NULL COMMENT 'first time after its end that the venue did not know it',
    venue_ref    VARBINARY(100)   NULL COMMENT 'id that the venue gave it',
    tx_hash      VARBINARY(64)    NULL COMMENT 'transaction by which the venue carries it out, as far as it has reported',
    refusal_code VARCHAR(40)      CHARACTER SET ascii NULL COMMENT 'code of the venue''s refusal, which proves nothing by itself',
    refusal      VARCHAR(200)     NULL COMMENT 'text of the venue''s refusal',
    PRIMARY KEY (id),
    UNIQUE KEY venue_key (venue, venue_key),
    UNIQUE KEY venue_nonce (venue, signing_key, nonce),
    KEY execution (execution_id),
    KEY wallet_venue (wallet_id, venue)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Changes of balances of an address by an execution, for the comparison with the chain.
CREATE TABLE IF NOT EXISTS account_changes (
    execution_id   BIGINT UNSIGNED NOT NULL COMMENT 'executions.id',
    transaction_id BIGINT UNSIGNED NOT NULL COMMENT 'transactions.id; 0: payment of its bridge',
    address        VARCHAR(160)    CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'as the chain writes it',
    chain_id       BIGINT UNSIGNED NOT NULL COMMENT 'chain, by its number in model/chains',
    block_number   BIGINT UNSIGNED NOT NULL COMMENT 'block of the change',
    changes        TEXT            CHARACTER SET ascii COLLATE ascii_bin NULL
        COMMENT 'token, amount out, amount in, as JSON; NULL: not known',
    recorded_at    DATETIME(3)     NOT NULL COMMENT 'when it was recorded',
    PRIMARY KEY (execution_id, transaction_id),
    KEY account (address, chain_id, block_number),
    KEY recorded (recorded_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Executions of an agent by kind and listed status, but for swaps, which agents counts.
CREATE TABLE IF NOT EXISTS execution_totals (
    agent_id BIGINT UNSIGNED  NOT NULL COMMENT 'agents.id',
    kind     TINYINT UNSIGNED NOT NULL COMMENT 'executions.kind',
    listed   TINYINT UNSIGNED NOT NULL COMMENT 'executions.listed',
    n        BIGINT           NOT NULL COMMENT 'executions',
    PRIMARY KEY (agent_id, kind, listed)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Positions in GET /swaps, one for some hundred swaps of an agent: a page far back is found without counting rows.
CREATE TABLE IF NOT EXISTS execution_marks (
    agent_id    BIGINT UNSIGNED NOT NULL COMMENT 'agents.id',
    upto_id     BIGINT UNSIGNED NOT NULL COMMENT 'executions.id up to which the counts go',
    n           BIGINT          NOT NULL COMMENT 'swaps in all',
    n_pending   BIGINT          NOT NULL COMMENT 'swaps listed as pending',
    n_submitted BIGINT          NOT NULL COMMENT 'swaps listed as submitted',
    n_completed BIGINT          NOT NULL COMMENT 'swaps listed as completed',
    n_failed    BIGINT          NOT NULL COMMENT 'swaps listed as failed',
    PRIMARY KEY (agent_id, upto_id),
    KEY of_all (agent_id, n),
    KEY of_pending (agent_id, n_pending),
    KEY of_submitted (agent_id, n_submitted),
    KEY of_completed (agent_id, n_completed),
    KEY of_failed (agent_id, n_failed)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Progress of the job that makes execution_marks; one row.
CREATE TABLE IF NOT EXISTS execution_marks_made (
    id      TINYINT UNSIGNED NOT NULL COMMENT 'always 1',
    upto_id BIGINT UNSIGNED  NOT NULL COMMENT 'executions.id up to which marks were made',
    PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- The way of an execution that buys on another chain.
CREATE TABLE IF NOT EXISTS bridges (
    execution_id     BIGINT UNSIGNED  NOT NULL COMMENT 'executions.id',
    provider         VARCHAR(32)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'provider of the bridge',
    reference        VARCHAR(160)     CHARACTER SET ascii COLLATE ascii_bin NULL
        COMMENT 'id there; NULL: known by its transaction',
    recipient        VARCHAR(160)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'receiver on the destination chain',
    deadline         DATETIME(3)      NULL COMMENT 'a refund is due afterwards; NULL: not known',
    seconds          INT UNSIGNED     NOT NULL COMMENT 'estimated duration, seconds',
    far_block        BIGINT UNSIGNED  NULL COMMENT 'newest block of the destination chain before the signature',
    proof            BLOB             NOT NULL COMMENT 'facts that the signer checks besides the transaction',
    state            TINYINT UNSIGNED NOT NULL DEFAULT 0
        COMMENT 'last report of its provider: 0 none 1 in progress 2 done 3 refunded 4 failed',
    since            DATETIME(3)      NULL COMMENT 'begin of that report',
    out_chain        BIGINT UNSIGNED  NULL COMMENT 'chain of the payment or refund',
    out_tx           VARBINARY(64)    NULL COMMENT 'transaction that paid or refunded, as its provider reports',
    out_block        BIGINT UNSIGNED  NULL COMMENT 'block where a node has shown it',
    delivery         TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT '0 none 1 reported by its provider 2 proven by a node',
    arrived_chain    BIGINT UNSIGNED  NULL COMMENT 'chain of a token received in place of the one bought',
    arrived_symbol   VARCHAR(32)      NULL COMMENT 'its symbol',
    arrived_address  VARCHAR(160)     CHARACTER SET ascii COLLATE ascii_bin NULL COMMENT 'its address',
    arrived_decimals TINYINT UNSIGNED NULL COMMENT 'its decimals',
    arrived_amount   BINARY(32)       NULL COMMENT 'its amount, smallest units',
    polls            INT UNSIGNED     NOT NULL DEFAULT 0 COMMENT 'times polled',
    polled_at        DATETIME(3)      NULL COMMENT 'last poll',
    next_poll_at     DATETIME(3)      NOT NULL COMMENT 'next poll',
    PRIMARY KEY (execution_id),
    KEY paid (out_tx)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Payments on chains that prove a delivery or refund, each for one execution only.
CREATE TABLE IF NOT EXISTS bridge_deliveries (
    chain_id     BIGINT UNSIGNED NOT NULL COMMENT 'chain, by its number in model/chains',
    tx           VARBINARY(64)   NOT NULL COMMENT 'transaction',
    log_index    INT             NOT NULL COMMENT 'log in the block; -1: native coin, which leaves no log',
    execution_id BIGINT UNSIGNED NOT NULL COMMENT 'executions.id',
    recipient    VARCHAR(160)    CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'receiver',
    block_number BIGINT UNSIGNED NOT NULL COMMENT 'block',
    amount       BINARY(32)      NOT NULL COMMENT 'smallest units',
    PRIMARY KEY (chain_id, tx, log_index),
    KEY execution (execution_id),
    KEY block (chain_id, block_number)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- A withdrawal to an address of the agent.
CREATE TABLE IF NOT EXISTS withdrawals (
    execution_id BIGINT UNSIGNED NOT NULL COMMENT 'executions.id',
    agent_id     BIGINT UNSIGNED NOT NULL COMMENT 'agents.id',
    address_id   BIGINT UNSIGNED NOT NULL COMMENT 'withdrawal_addresses.id',
    fee          BINARY(32)      NOT NULL
        COMMENT 'fee, smallest units of the native coin: the maximum until the chain has reported it',
    PRIMARY KEY (agent_id, execution_id),
    UNIQUE KEY of_execution (execution_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;


-- ---------------- Policies
-- Limits of agents and operators, the sums that count against them, and the approvals of operators.

-- A policy of an agent, for one wallet or for each.
CREATE TABLE IF NOT EXISTS policies (
    id          BINARY(16)       NOT NULL COMMENT '128 random bits',
    agent_id    BIGINT UNSIGNED  NOT NULL COMMENT 'agents.id',
    wallet_id   BIGINT UNSIGNED  NULL COMMENT 'wallets.id; NULL: each wallet of the agent by itself',
    by_operator TINYINT UNSIGNED NOT NULL COMMENT '1: the agent cannot delete it',
    type        TINYINT UNSIGNED NOT NULL COMMENT '1 spending_limit 2 approval_limit 3 whitelist 4 execution_limit',
    params      TEXT             NOT NULL COMMENT 'JSON object, checked when it is written and when it is read',
    created_at  DATETIME(3)      NOT NULL COMMENT 'sums begin here',
    ends_at     DATETIME(3)      NULL COMMENT 'deleted, but in force until then; NULL: in force',
    PRIMARY KEY (id),
    KEY agent_id (agent_id, created_at),
    KEY ends_at (ends_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Value of an execution that was signed while a policy of its wallet was in force.
CREATE TABLE IF NOT EXISTS spends (
    execution_id BIGINT UNSIGNED  NOT NULL COMMENT 'executions.id',
    agent_id     BIGINT UNSIGNED  NOT NULL COMMENT 'agents.id',
    wallet_id    BIGINT UNSIGNED  NOT NULL COMMENT 'wallets.id',
    usd          BINARY(32)       NULL COMMENT 'value when it was signed, dollars of 10^-18; NULL: no policy needed it',
    ether        BINARY(32)       NULL COMMENT 'value when it was signed, wei; NULL: no policy needed it',
    created_at   DATETIME(3)      NOT NULL COMMENT 'when it was made',
    part         BIGINT UNSIGNED  NOT NULL DEFAULT 1 COMMENT 'share part/whole that counts: an order''s unfilled rest does not',
    whole        BIGINT UNSIGNED  NOT NULL DEFAULT 1 COMMENT 'see part',
    margin       TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT '1: margin of an order for a perpetual, for limits of that venue',
    PRIMARY KEY (execution_id),
    KEY wallet_id (wallet_id, created_at),
    KEY agent_id (agent_id),
    KEY created_at (created_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- A request for the operator's approval of an execution.
CREATE TABLE IF NOT EXISTS approvals (
    id           BINARY(16)       NOT NULL COMMENT '128 random bits, shown as ap_ and hex digits',
    agent_id     BIGINT UNSIGNED  NOT NULL COMMENT 'agents.id',
    execution_id BIGINT UNSIGNED  NOT NULL COMMENT 'executions.id of the pending execution, of which nothing is signed yet',
    state        TINYINT UNSIGNED NOT NULL COMMENT '1 waiting 2 granted 3 denied 4 used 5 lapsed',
    slippage_ppm INT UNSIGNED     NOT NULL COMMENT 'slippage as quoted, millionths, for the new quote',
    why          VARCHAR(300)     NOT NULL COMMENT 'policy that requires it, in words',
    created_at   DATETIME(3)      NOT NULL COMMENT 'when it was made',
    expires_at   DATETIME(3)      NOT NULL COMMENT 'lapses afterwards',
    decided_at   DATETIME(3)      NULL COMMENT 'last decision; NULL: none',
    terms        TEXT             CHARACTER SET utf8mb4 NULL
        COMMENT 'members of the call that requested it, JSON: the call with the approval must have the same',
    PRIMARY KEY (id),
    UNIQUE KEY execution (execution_id),
    KEY agent_id (agent_id, state),
    KEY state (state, created_at),
    KEY agent_page (agent_id, created_at, id),
    KEY agent_state_page (agent_id, state, created_at, id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Approvals of an agent by state.
CREATE TABLE IF NOT EXISTS approval_totals (
    agent_id BIGINT UNSIGNED  NOT NULL COMMENT 'agents.id',
    state    TINYINT UNSIGNED NOT NULL COMMENT 'approvals.state',
    n        BIGINT           NOT NULL COMMENT 'approvals',
    PRIMARY KEY (agent_id, state)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;


-- ---------------- Prediction markets
-- Accounts, orders and trades at Polymarket.

-- Account of a wallet.
CREATE TABLE IF NOT EXISTS predict_accounts (
    wallet_id      BIGINT UNSIGNED  NOT NULL COMMENT 'wallets.id',
    agent_id       BIGINT UNSIGNED  NOT NULL COMMENT 'agents.id',
    kind           TINYINT UNSIGNED NOT NULL COMMENT 'holder of the positions: 1 a deposit wallet 2 the wallet itself',
    proxy_kind     TINYINT UNSIGNED NOT NULL COMMENT 'proxy of the deposit wallet: 0 beacon 1 UUPS',
    trading        BINARY(20)       NOT NULL COMMENT 'address of the holder',
    credentials    VARBINARY(512)   NULL COMMENT 'API credentials of the venue, sealed under the service key',
    credentials_at DATETIME(3)      NULL COMMENT 'when these were made',
    rejected_at    DATETIME(3)      NULL COMMENT 'when the venue refused them; NULL: it accepts them as far as is known',
    closed_only    TINYINT UNSIGNED NULL COMMENT '1: the venue lets it only close positions; NULL: never asked',
    closed_only_at DATETIME(3)      NULL COMMENT 'when that was asked',
    orders_due_at  DATETIME(3)      NULL COMMENT 'next poll of its orders; NULL: nothing to poll',
    lease_owner    BINARY(16)       NULL COMMENT 'process that works on it; NULL: none',
    lease_until    DATETIME(3)      NULL COMMENT 'end of its lease',
    created_at     DATETIME(3)      NOT NULL COMMENT 'when it was made',
    resync_orders  TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT '1: the venue may have orders that the database lacks',
    PRIMARY KEY (wallet_id),
    KEY due (orders_due_at),
    KEY agent (agent_id),
    KEY closed_only (closed_only),
    KEY lease (lease_owner)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- An order.
CREATE TABLE IF NOT EXISTS predict_orders (
    execution_id        BIGINT UNSIGNED  NOT NULL COMMENT 'executions.id',
    agent_id            BIGINT UNSIGNED  NOT NULL COMMENT 'agents.id',
    wallet_id           BIGINT UNSIGNED  NOT NULL COMMENT 'wallets.id',
    hash                BINARY(32)       NULL COMMENT 'order id: of the request that counts now; NULL until it is signed',
    market              VARCHAR(20)      CHARACTER SET ascii NOT NULL COMMENT 'id of the market at the venue',
    condition_id        BINARY(32)       NOT NULL COMMENT 'condition of the market',
    token               BINARY(32)       NOT NULL COMMENT 'outcome token, big-endian',
    outcome             VARCHAR(128)     NOT NULL COMMENT 'name of the outcome',
    question            VARCHAR(512)     NOT NULL COMMENT 'question of the market',
    exchange            TINYINT UNSIGNED NOT NULL COMMENT '0 v2 1 neg_risk 2 v3',
    side                TINYINT UNSIGNED NOT NULL COMMENT '0 buy 1 sell',
    type                TINYINT UNSIGNED NOT NULL COMMENT '1 GTC 2 GTD 3 FOK 4 FAK',
    post_only           TINYINT UNSIGNED NOT NULL COMMENT '1: never takes',
    price               INT UNSIGNED     NOT NULL COMMENT 'limit, collateral of 10^-4 a share',
    size                BIGINT UNSIGNED  NOT NULL COMMENT 'shares of 10^-2',
    expires_at          DATETIME(3)      NULL COMMENT 'end of a GTD order',
    fee_most            BIGINT UNSIGNED  NOT NULL COMMENT 'greatest fee of a full fill, collateral of 10^-6',
    status              TINYINT UNSIGNED NOT NULL
        COMMENT '1 pending 2 open 3 filled 4 cancelled 5 rejected 6 waiting for approval',
    matched             BIGINT UNSIGNED  NOT NULL DEFAULT 0 COMMENT 'shares of 10^-6 matched',
    paid                BIGINT UNSIGNED  NOT NULL DEFAULT 0 COMMENT 'collateral of 10^-6 paid for these',
    settled             BIGINT UNSIGNED  NOT NULL DEFAULT 0 COMMENT 'shares of 10^-6 settled for good',
    final               TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT '1: nothing of it can change any more',
    error_code          VARCHAR(64)      NULL COMMENT 'code of the failure',
    error_message       VARCHAR(255)     NULL COMMENT 'message of the failure, for the agent',
    cancel_requested_at DATETIME(3)      NULL COMMENT 'when the agent cancelled it; NULL: not',
    polled_at           DATETIME(3)      NULL COMMENT 'last poll of the order by itself',
    missed_polls        INT UNSIGNED     NOT NULL DEFAULT 0 COMMENT 'polls in a row that did not find it',
    created_at          DATETIME(3)      NOT NULL COMMENT 'when it was made',
    updated_at          DATETIME(3)      NOT NULL COMMENT 'last change',
    listed              TINYINT UNSIGNED AS (status < 4) STORED COMMENT '1: lists show it by default',
    fee_rate            INT UNSIGNED     NOT NULL DEFAULT 0
        COMMENT 'rate of the takers'' fee, 10^-9 of shares x (price x (1 - price)) ^ fee_exponent',
    fee_exponent        TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'exponent of that formula',
    PRIMARY KEY (execution_id),
    UNIQUE KEY hash (hash),
    KEY agent_status_page (agent_id, status, execution_id),
    KEY agent_listed_page (agent_id, listed, execution_id),
    KEY agent_page (agent_id, execution_id, status),
    KEY wallet_holds (wallet_id, final, updated_at, matched)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- A trade of an order.
CREATE TABLE IF NOT EXISTS predict_fills (
    execution_id BIGINT UNSIGNED  NOT NULL COMMENT 'executions.id of the order',
    trade        VARCHAR(80)      NOT NULL COMMENT 'id of the trade at the venue',
    price        INT UNSIGNED     NOT NULL COMMENT 'collateral of 10^-4 a share',
    size         BIGINT UNSIGNED  NOT NULL COMMENT 'shares of 10^-6',
    paid         BIGINT UNSIGNED  NOT NULL COMMENT 'collateral of 10^-6',
    fee          BIGINT UNSIGNED  NOT NULL COMMENT 'collateral of 10^-6, besides paid',
    maker        TINYINT UNSIGNED NOT NULL COMMENT '1: the order rested',
    state        TINYINT UNSIGNED NOT NULL COMMENT '1 matched 2 mined 3 confirmed 4 failed',
    tx_hash      BINARY(32)       NULL COMMENT 'transaction that settles it',
    at           DATETIME(3)      NOT NULL COMMENT 'when it traded',
    PRIMARY KEY (execution_id, trade)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;


-- ---------------- Perpetuals
-- Accounts, orders, trades, funding and margin at Hyperliquid.

-- Account of a wallet.
CREATE TABLE IF NOT EXISTS perps_accounts (
    wallet_id     BIGINT UNSIGNED NOT NULL COMMENT 'wallets.id',
    agent_id      BIGINT UNSIGNED NOT NULL COMMENT 'agents.id',
    fills_since   DATETIME(3)     NOT NULL COMMENT 'all trades before are recorded',
    funding_since DATETIME(3)     NOT NULL COMMENT 'all funding payments before are recorded',
    funding_at    DATETIME(3)     NULL COMMENT 'last poll of funding',
    due_at        DATETIME(3)     NULL COMMENT 'next poll; NULL: nothing to poll',
    lease_owner   BINARY(16)      NULL COMMENT 'process that works on it; NULL: none',
    lease_until   DATETIME(3)     NULL COMMENT 'end of its lease',
    created_at    DATETIME(3)     NOT NULL COMMENT 'when it was made',
    PRIMARY KEY (wallet_id),
    KEY due (due_at),
    KEY lease (lease_owner),
    KEY agent (agent_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- An order, or a take-profit or stop-loss order attached to it.
CREATE TABLE IF NOT EXISTS perps_orders (
    id                  BIGINT UNSIGNED   NOT NULL AUTO_INCREMENT COMMENT 'number',
    execution_id        BIGINT UNSIGNED   NOT NULL COMMENT 'executions.id that places it with the orders attached to it',
    agent_id            BIGINT UNSIGNED   NOT NULL COMMENT 'agents.id',
    wallet_id           BIGINT UNSIGNED   NOT NULL COMMENT 'wallets.id',
    role                TINYINT UNSIGNED  NOT NULL COMMENT '0 order 1 take-profit 2 stop-loss',
    cloid               BINARY(16)        NOT NULL COMMENT 'client order id, at the venue too',
    oid                 BIGINT UNSIGNED   NULL COMMENT 'order id of the venue; NULL: not known yet',
    asset               VARCHAR(16)       CHARACTER SET ascii NOT NULL COMMENT 'asset',
    sells               TINYINT UNSIGNED  NOT NULL COMMENT '1 sell 0 buy',
    is_market           TINYINT UNSIGNED  NOT NULL COMMENT '1 market 0 limit',
    tif                 TINYINT UNSIGNED  NOT NULL COMMENT '0 GTC 1 IOC 2 ALO',
    reduce_only         TINYINT UNSIGNED  NOT NULL COMMENT '1: only reduces a position',
    size                BIGINT UNSIGNED   NOT NULL COMMENT 'asset of 10^-8',
    price               BIGINT UNSIGNED   NOT NULL COMMENT 'dollars of 10^-8 a unit',
    trigger_price       BIGINT UNSIGNED   NOT NULL COMMENT 'dollars of 10^-8 a unit; 0: none',
    leverage            SMALLINT UNSIGNED NOT NULL COMMENT 'value of a position divided by its margin',
    isolated            TINYINT UNSIGNED  NOT NULL COMMENT '1 isolated margin 0 cross margin',
    status              TINYINT UNSIGNED  NOT NULL
        COMMENT '1 pending 2 open 3 filled 4 cancelled 5 rejected 6 waiting for approval',
    filled              BIGINT UNSIGNED   NOT NULL DEFAULT 0 COMMENT 'asset of 10^-8 filled',
    paid                BIGINT UNSIGNED   NOT NULL DEFAULT 0 COMMENT 'dollars of 10^-8 for these, by its trades',
    fee                 BIGINT            NOT NULL DEFAULT 0 COMMENT 'dollars of 10^-8; below 0: a rebate',
    final               TINYINT UNSIGNED  NOT NULL DEFAULT 0 COMMENT '1: nothing of it can change any more',
    error_code          VARCHAR(64)       NULL COMMENT 'code of the failure',
    error_message       VARCHAR(255)      NULL COMMENT 'message of the failure, for the agent',
    cancel_requested_at DATETIME(3)       NULL COMMENT 'when the agent cancelled it; NULL: not',
    unknown_at          DATETIME(3)       NULL COMMENT 'since when the venue does not know it',
    created_at          DATETIME(3)       NOT NULL COMMENT 'when it was made',
    updated_at          DATETIME(3)       NOT NULL COMMENT 'last change',
    children            TINYINT UNSIGNED  NOT NULL DEFAULT 0 COMMENT 'attached orders of its execution',
    take_profit_cloid   BINARY(16)        NULL COMMENT 'cloid of the attached take-profit order, for lists',
    take_profit_trigger BIGINT UNSIGNED   NULL COMMENT 'its trigger_price',
    take_profit_status  TINYINT UNSIGNED  NULL COMMENT 'its status',
    stop_loss_cloid     BINARY(16)        NULL COMMENT 'cloid of the attached stop-loss order, for lists',
    stop_loss_trigger   BIGINT UNSIGNED   NULL COMMENT 'its trigger_price',
    stop_loss_status    TINYINT UNSIGNED  NULL COMMENT 'its status',
    PRIMARY KEY (id),
    UNIQUE KEY cloid (cloid),
    KEY execution (execution_id, role),
    KEY agent_page (agent_id, role, id),
    KEY agent_status_page (agent_id, role, status, id),
    KEY wallet_open (wallet_id, final)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- A trade of an account.
CREATE TABLE IF NOT EXISTS perps_fills (
    wallet_id   BIGINT UNSIGNED  NOT NULL COMMENT 'wallets.id',
    trade       BIGINT UNSIGNED  NOT NULL COMMENT 'id of the trade at the venue, or one derived from its members',
    agent_id    BIGINT UNSIGNED  NOT NULL COMMENT 'agents.id',
    oid         BIGINT UNSIGNED  NOT NULL COMMENT 'order id of the venue',
    cloid       BINARY(16)       NULL COMMENT 'client order id; NULL: not an order of the gateway',
    asset       VARCHAR(16)      CHARACTER SET ascii NOT NULL COMMENT 'asset',
    sells       TINYINT UNSIGNED NOT NULL COMMENT '1 sell 0 buy',
    liquidation TINYINT UNSIGNED NOT NULL COMMENT '1: by a liquidation',
    price       BIGINT UNSIGNED  NOT NULL COMMENT 'dollars of 10^-8 a unit',
    size        BIGINT UNSIGNED  NOT NULL COMMENT 'asset of 10^-8',
    fee         BIGINT           NOT NULL COMMENT 'dollars of 10^-8; below 0: a rebate',
    closed_pnl  BIGINT           NOT NULL COMMENT 'realized profit, dollars of 10^-8; below 0: a loss',
    at          DATETIME(3)      NOT NULL COMMENT 'when it traded',
    PRIMARY KEY (wallet_id, trade),
    KEY of_order (wallet_id, oid),
    KEY agent_page (agent_id, at, trade)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- A funding payment.
CREATE TABLE IF NOT EXISTS perps_payments (
    wallet_id BIGINT UNSIGNED NOT NULL COMMENT 'wallets.id',
    asset     VARCHAR(16)     CHARACTER SET ascii NOT NULL COMMENT 'asset',
    at        DATETIME(3)     NOT NULL COMMENT 'when it was paid',
    agent_id  BIGINT UNSIGNED NOT NULL COMMENT 'agents.id',
    rate      BIGINT          NOT NULL COMMENT 'funding rate, 10^-18',
    size      BIGINT          NOT NULL COMMENT 'position, asset of 10^-8; below 0: short',
    amount    BIGINT          NOT NULL COMMENT 'dollars of 10^-8; below 0: paid by the account',
    PRIMARY KEY (wallet_id, asset, at),
    KEY agent_page (agent_id, at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- A deposit to the venue or a withdrawal from it.
CREATE TABLE IF NOT EXISTS perps_transfers (
    execution_id BIGINT UNSIGNED  NOT NULL COMMENT 'executions.id',
    agent_id     BIGINT UNSIGNED  NOT NULL COMMENT 'agents.id',
    wallet_id    BIGINT UNSIGNED  NOT NULL COMMENT 'wallets.id',
    kind         TINYINT UNSIGNED NOT NULL COMMENT 'executions.kind',
    route        TINYINT UNSIGNED NOT NULL COMMENT '1 the venue''s bridge 2 Circle''s protocol',
    chain_id     BIGINT UNSIGNED  NOT NULL COMMENT 'chain of the other end',
    amount       BINARY(32)       NOT NULL COMMENT 'amount that leaves, smallest units',
    expected     BINARY(32)       NOT NULL COMMENT 'amount that should arrive, smallest units',
    least        BINARY(32)       NOT NULL COMMENT 'amount that arrives at the highest fees, smallest units',
    block        BIGINT UNSIGNED  NOT NULL COMMENT 'of a withdrawal: newest block of the chain before the signature',
    proof        VARBINARY(100)   NULL
        COMMENT 'row of the venue''s ledger or event of the chain that proves its arrival, and of no other transfer; NULL: none yet',
    PRIMARY KEY (execution_id),
    UNIQUE KEY proof (wallet_id, proof),
    KEY agent_page (agent_id, execution_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;


-- ---------------- Lending
-- Operations at lending protocols and the monitor of positions.

-- A supply, withdrawal, loan, repayment or switch of collateral.
CREATE TABLE IF NOT EXISTS lend_operations (
    execution_id BIGINT UNSIGNED  NOT NULL COMMENT 'executions.id',
    agent_id     BIGINT UNSIGNED  NOT NULL COMMENT 'agents.id',
    kind         TINYINT UNSIGNED NOT NULL COMMENT 'executions.kind',
    market       VARCHAR(80)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'id of the market',
    everything   TINYINT UNSIGNED NOT NULL COMMENT '1: all that is supplied, or owed, not a fixed amount',
    collateral   TINYINT UNSIGNED NOT NULL COMMENT '1: it moves collateral; of a switch: it is collateral from then on',
    health       BINARY(32)       NULL COMMENT 'health factor of 10^-18 after it, by simulation; NULL: without debt',
    PRIMARY KEY (agent_id, execution_id),
    UNIQUE KEY of_execution (execution_id),
    KEY agent_kind_page (agent_id, kind, execution_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- A position that is polled, from its first debt on.
CREATE TABLE IF NOT EXISTS lend_monitors (
    id                 BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT COMMENT 'number',
    agent_id           BIGINT UNSIGNED  NOT NULL COMMENT 'agents.id',
    wallet_id          BIGINT UNSIGNED  NOT NULL COMMENT 'wallets.id',
    chain_id           BIGINT UNSIGNED  NOT NULL COMMENT 'chain, by its number in model/chains',
    protocol           VARCHAR(16)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'aave or morpho',
    market             VARCHAR(80)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL
        COMMENT 'id of the market; empty: all markets of the protocol on the chain',
    version            BIGINT UNSIGNED  NOT NULL DEFAULT 0 COMMENT 'optimistic lock, incremented by each record',
    block              BIGINT UNSIGNED  NOT NULL DEFAULT 0 COMMENT 'block of the last poll that counted',
    polled_at          DATETIME(3)      NULL COMMENT 'time of that poll; NULL: none',
    alerted            TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT '1: a low health factor was announced, and has not recovered since',
    polls_without_debt TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'polls in a row without debt',
    polls_unexplained  TINYINT UNSIGNED NOT NULL DEFAULT 0
        COMMENT 'polls in a row with less than the recorded position, and no log that explains it',
    position_block     BIGINT UNSIGNED  NOT NULL DEFAULT 0 COMMENT 'block of the recorded position',
    position           BLOB             NULL COMMENT 'recorded position, as the gateway encodes it; NULL: none',
    announced_block    BIGINT UNSIGNED  NOT NULL DEFAULT 0 COMMENT 'losses up to this block were announced without their logs',
    PRIMARY KEY (id),
    UNIQUE KEY debt (wallet_id, chain_id, protocol, market),
    KEY chain (chain_id, id),
    KEY agent (agent_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Liquidations that were announced, each once.
CREATE TABLE IF NOT EXISTS lend_liquidations (
    wallet_id BIGINT UNSIGNED  NOT NULL COMMENT 'wallets.id',
    chain_id  BIGINT UNSIGNED  NOT NULL COMMENT 'chain, by its number in model/chains',
    tx        VARBINARY(64)    NOT NULL COMMENT 'transaction',
    place     TINYINT UNSIGNED NOT NULL COMMENT 'position among those of the wallet in the transaction',
    agent_id  BIGINT UNSIGNED  NOT NULL COMMENT 'agents.id',
    told_at   DATETIME(3)      NOT NULL COMMENT 'when it was announced',
    PRIMARY KEY (wallet_id, chain_id, tx, place),
    KEY agent (agent_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Progress of the search for liquidations on a chain.
CREATE TABLE IF NOT EXISTS lend_scans (
    chain_id BIGINT UNSIGNED NOT NULL COMMENT 'chain, by its number in model/chains',
    block    BIGINT UNSIGNED NOT NULL COMMENT 'last block whose logs were read',
    PRIMARY KEY (chain_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Markets of Morpho that its catalogue lists.
CREATE TABLE IF NOT EXISTS lend_listings (
    chain_id   BIGINT UNSIGNED   NOT NULL COMMENT 'chain, by its number in model/chains',
    id         BINARY(32)        NOT NULL COMMENT 'id of the market',
    place      SMALLINT UNSIGNED NOT NULL COMMENT 'position in the catalogue, from 0',
    created_at DATETIME(3)       NULL COMMENT 'when the market was made; NULL: not known',
    warnings   TEXT              NOT NULL COMMENT 'warnings of the catalogue, JSON',
    PRIMARY KEY (chain_id, id),
    KEY listed (chain_id, place)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;


-- ---------------- Webhooks and tasks
-- Events on their way to agents, and tasks of A2A.

-- A webhook or push notification.
CREATE TABLE IF NOT EXISTS webhook_events (
    seq             BIGINT UNSIGNED   NOT NULL AUTO_INCREMENT COMMENT 'order in lists',
    id              BINARY(16)        NOT NULL COMMENT 'webhook-id of each attempt',
    agent_id        BIGINT UNSIGNED   NOT NULL COMMENT 'agents.id',
    event_type      VARCHAR(40)       CHARACTER SET ascii NOT NULL COMMENT 'type',
    status          TINYINT UNSIGNED  NOT NULL COMMENT '1 pending 2 delivered 3 failed',
    attempts        INT UNSIGNED      NOT NULL DEFAULT 0 COMMENT 'attempts made',
    last_error      VARCHAR(200)      NULL COMMENT 'error of the last attempt',
    response_status SMALLINT UNSIGNED NULL COMMENT 'HTTP status of the last attempt',
    callback_url    VARCHAR(500)      NOT NULL COMMENT 'URL at the time of the event',
    body            MEDIUMTEXT        NOT NULL COMMENT 'bytes that are signed and sent',
    created_at      DATETIME(3)       NOT NULL COMMENT 'when it was made',
    delivered_at    DATETIME(3)       NULL COMMENT 'NULL: not delivered',
    next_at         DATETIME(3)       NOT NULL COMMENT 'next attempt',
    lease_owner     BINARY(16)        NULL COMMENT 'process that works on it; NULL: none',
    lease_until     DATETIME(3)       NULL COMMENT 'end of its lease',
    headers         VARBINARY(2200)   NULL
        COMMENT 'headers of a push notification, sealed: its URL is its own, not the agent''s callback; NULL: a webhook',
    attempts_before INT UNSIGNED      NOT NULL DEFAULT 0
        COMMENT 'attempts made before the last redelivery: back-off and limit count from there',
    attempt_log     TEXT              NULL
        COMMENT 'last ten attempts, a line each: Unix milliseconds, status (0: no answer), milliseconds, error',
    took_ms         INT UNSIGNED      NULL COMMENT 'milliseconds of the attempt that delivered it, where attempt_log lacks it',
    security        TINYINT UNSIGNED  NOT NULL DEFAULT 0
        COMMENT '1: security event: keeps its URL and outlives the callback and the agent',
    secret          VARBINARY(128)    NULL COMMENT 'webhook secret that signs too, sealed, as the receiver may know no later one',
    PRIMARY KEY (seq),
    UNIQUE KEY id (id),
    KEY agent_page (agent_id, seq),
    KEY agent_status_page (agent_id, status, seq),
    KEY agent_type_page (agent_id, event_type, status, seq),
    KEY due (status, next_at, seq),
    KEY leased (agent_id, status, lease_until, next_at, seq),
    KEY created (created_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- When an agent's webhooks are due next.
CREATE TABLE IF NOT EXISTS event_queues (
    agent_id BIGINT UNSIGNED NOT NULL COMMENT 'agents.id',
    next_at  DATETIME(3)     NOT NULL COMMENT 'no event of the agent can be claimed before; may be too early, never too late',
    wakes    BIGINT UNSIGNED NOT NULL DEFAULT 0
        COMMENT 'counts writes, so that each one changes the row and collides on a cluster',
    PRIMARY KEY (agent_id),
    KEY due (next_at, agent_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Webhooks of an agent by type and status.
CREATE TABLE IF NOT EXISTS event_totals (
    agent_id   BIGINT UNSIGNED  NOT NULL COMMENT 'agents.id',
    event_type VARCHAR(40)      CHARACTER SET ascii NOT NULL COMMENT 'webhook_events.event_type',
    status     TINYINT UNSIGNED NOT NULL COMMENT 'webhook_events.status',
    n          BIGINT           NOT NULL COMMENT 'events',
    PRIMARY KEY (agent_id, event_type, status)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- A task of A2A.
CREATE TABLE IF NOT EXISTS tasks (
    seq          BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT COMMENT 'order in lists',
    id           BINARY(16)       NOT NULL COMMENT 'id in answers',
    agent_id     BIGINT UNSIGNED  NOT NULL COMMENT 'agents.id',
    context_id   VARCHAR(128)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'context of A2A',
    operation    VARCHAR(64)      CHARACTER SET ascii NOT NULL COMMENT 'name of its tool',
    state        TINYINT UNSIGNED NOT NULL
        COMMENT '1 submitted 2 working 3 input-required 4 completed 5 failed 6 rejected 7 canceled; with an execution that one''s status counts',
    execution_id BIGINT UNSIGNED  NULL COMMENT 'executions.id, written by the transaction that commits it; NULL: none',
    note         VARCHAR(500)     NULL COMMENT 'text of its status',
    answer       MEDIUMTEXT       NULL COMMENT 'answer of the operation, without secrets',
    lease_owner  BINARY(16)       NOT NULL COMMENT 'request that may record the answer',
    lease_until  DATETIME(3)      NOT NULL COMMENT 'of a submitted task: its message may be run again afterwards',
    created_at   DATETIME(3)      NOT NULL COMMENT 'when it was made',
    updated_at   DATETIME(3)      NOT NULL COMMENT 'last change of its state',
    bytes        INT UNSIGNED     NOT NULL DEFAULT 0
        COMMENT 'bytes that count for the agent''s quota; room for its answer until there is one',
    PRIMARY KEY (seq),
    UNIQUE KEY id (id),
    KEY agent_changed (agent_id, execution_id, updated_at, seq),
    KEY execution (execution_id),
    KEY changed (updated_at),
    KEY agent_bytes (agent_id, bytes)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Messages of tasks, each run once.
CREATE TABLE IF NOT EXISTS task_messages (
    seq         BIGINT UNSIGNED NOT NULL AUTO_INCREMENT COMMENT 'order in lists',
    agent_id    BIGINT UNSIGNED NOT NULL COMMENT 'agents.id',
    task_seq    BIGINT UNSIGNED NOT NULL COMMENT 'tasks.seq',
    message     BINARY(32)      NOT NULL COMMENT 'SHA-256 of its messageId',
    fingerprint BINARY(32)      NOT NULL COMMENT 'SHA-256 of its content',
    body        MEDIUMTEXT      NOT NULL COMMENT 'message, JSON',
    created_at  DATETIME(3)     NOT NULL COMMENT 'when it was made',
    bytes       INT UNSIGNED    NOT NULL DEFAULT 0 COMMENT 'bytes that count for the agent''s quota',
    PRIMARY KEY (seq),
    UNIQUE KEY agent_id (agent_id, message),
    KEY task_seq (task_seq, seq),
    KEY created_at (created_at),
    KEY agent_bytes (agent_id, bytes)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Push notification configurations of tasks.
CREATE TABLE IF NOT EXISTS task_pushes (
    seq        BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT COMMENT 'order in lists',
    agent_id   BIGINT UNSIGNED  NOT NULL COMMENT 'agents.id',
    task_seq   BIGINT UNSIGNED  NOT NULL COMMENT 'tasks.seq',
    config_id  VARCHAR(128)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'id of the configuration',
    version    TINYINT UNSIGNED NOT NULL COMMENT 'version of A2A that it is sent in: 3 or 10 (0.3, 1.0)',
    url        VARCHAR(500)     NOT NULL COMMENT 'where it is sent',
    scheme     VARCHAR(32)      CHARACTER SET ascii NULL COMMENT 'authentication scheme',
    headers    VARBINARY(2200)  NOT NULL COMMENT 'token and credentials, sealed',
    created_at DATETIME(3)      NOT NULL COMMENT 'when it was made',
    PRIMARY KEY (seq),
    UNIQUE KEY task_seq (task_seq, config_id),
    KEY agent_id (agent_id),
    KEY created_at (created_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;


-- ---------------- Operation
-- What hosts, jobs and operators record.

-- The audit log, a chain of lines for each host.
CREATE TABLE IF NOT EXISTS audit (
    host VARCHAR(64)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'name of the host',
    seq  BIGINT UNSIGNED NOT NULL COMMENT 'from 1, without gaps',
    line TEXT            NOT NULL COMMENT 'JSON with the hash of the line before',
    PRIMARY KEY (host, seq)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- End of each chain of the audit log.
CREATE TABLE IF NOT EXISTS audit_heads (
    host VARCHAR(64)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'name of the host',
    seq  BIGINT UNSIGNED NOT NULL COMMENT 'of the last line; 0: none yet',
    hash BINARY(32)      NOT NULL COMMENT 'SHA-256 of the last line',
    PRIMARY KEY (host)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Last result of each job, on any host.
CREATE TABLE IF NOT EXISTS job_runs (
    job       VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'name of the job',
    done_at   DATETIME(3) NULL COMMENT 'last success; NULL: none',
    failed_at DATETIME(3) NULL COMMENT 'last failure; NULL: none',
    PRIMARY KEY (job)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Guard against a restored older database: a number that the database and a file of each host count together.
CREATE TABLE IF NOT EXISTS db_epochs (
    host      BINARY(16)       NOT NULL COMMENT 'id of the host, which its file in signer_dir has too',
    epoch     BIGINT UNSIGNED  NOT NULL COMMENT 'number; less than the file''s: the database is older than the host',
    at        DATETIME(3)      NOT NULL COMMENT 'last count',
    programs  INT UNSIGNED     NOT NULL DEFAULT 0 COMMENT 'SCHEMA_VERSION of the programs that counted',
    lost_from DATETIME(3)      NULL COMMENT 'last count known when the database was found to be older; NULL: never',
    accepted  TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT '1: reconciled, the host may go on',
    PRIMARY KEY (host)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Files of counters of hosts that are added to the charts.
CREATE TABLE IF NOT EXISTS series_sources (
    source BIGINT UNSIGNED NOT NULL COMMENT 'id of the file',
    folds  BIGINT UNSIGNED NOT NULL COMMENT 'times added; 0: never; the row is the lock',
    at     DATETIME(3)     NOT NULL COMMENT 'last time that it was added',
    PRIMARY KEY (source),
    KEY at (at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Counters as they were when they were added last.
CREATE TABLE IF NOT EXISTS series_marks (
    source   BIGINT UNSIGNED  NOT NULL COMMENT 'series_sources.source',
    metric   TINYINT UNSIGNED NOT NULL COMMENT 'number of the metric',
    chain_id BIGINT UNSIGNED  NOT NULL COMMENT 'chain; 0: none',
    place    TINYINT UNSIGNED NOT NULL COMMENT 'bucket or outcome',
    seen     BIGINT UNSIGNED  NOT NULL COMMENT 'value of the counter',
    PRIMARY KEY (source, metric, chain_id, place)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Counts of all hosts by minute.
CREATE TABLE IF NOT EXISTS series_minutes (
    metric   TINYINT UNSIGNED NOT NULL COMMENT 'number of the metric',
    slot     INT UNSIGNED     NOT NULL COMMENT 'minutes since 1970',
    chain_id BIGINT UNSIGNED  NOT NULL COMMENT 'chain; 0: none',
    place    TINYINT UNSIGNED NOT NULL COMMENT 'bucket or outcome',
    n        BIGINT UNSIGNED  NOT NULL COMMENT 'counted in that minute',
    PRIMARY KEY (metric, slot, chain_id, place)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Counts of all hosts by hour.
CREATE TABLE IF NOT EXISTS series_hours (
    metric   TINYINT UNSIGNED NOT NULL COMMENT 'number of the metric',
    slot     INT UNSIGNED     NOT NULL COMMENT 'hours since 1970',
    chain_id BIGINT UNSIGNED  NOT NULL COMMENT 'chain; 0: none',
    place    TINYINT UNSIGNED NOT NULL COMMENT 'bucket or outcome',
    n        BIGINT UNSIGNED  NOT NULL COMMENT 'counted in that hour',
    PRIMARY KEY (metric, slot, chain_id, place)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
