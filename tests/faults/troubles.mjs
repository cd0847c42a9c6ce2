// What goes wrong around the programs while the main job runs: the database, the nodes, the chain, the wallet, the clock,
// the signer. Each is [name, run, how the life is]; run gets a life, the jobs and the node in front of the chain, and says how often
// the trouble struck. The chain's finer points, each with what the agent is told, are in tests/jobs/chain.test.mjs.

import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { Transaction, toBeHex } from 'ethers';
import { until } from '../api/lib.mjs';
import { impersonated, nonceOf, rpc } from '../api/chain.mjs';
import { Way } from '../api/way.mjs';
import {
    arm, disarm, elapse, endLeases, hit, hits, shiftClock, signal, sql, withoutBlocks,
} from '../jobs/lib.mjs';
import { behave } from './crossed.mjs';
import { fillDisk } from './disk.mjs';
import { solana, solanaBehaves } from './books.mjs';
import {
    AGGREGATING, BRIDGED, BRIDGING, CHAIN, LENDING, Life, ON_SOLANA, PLAIN, WITHDRAWING,
} from './life.mjs';
import { PerpsLife } from './perps.mjs';
import { POINTS } from './points.mjs';
import { PredictionLife, control } from './prediction.mjs';
import { Kept, killDatabase, pidOf } from './programs.mjs';
import { LOST, REFUSALS, takes } from './wordings.mjs';

const HOUR_S = 3600;
// The first nonce is an approval's, the second one the swap's behind it.
const APPROVAL_FIRST = { trades: [...PLAIN].reverse() };
const SENDS = 'eth_sendRawTransaction';
// Of the two nodes in gateway.conf.
const FIRST = '/first';
const RECEIPTS = 'eth_getTransactionReceipt';
const SETTLE_DEPTH = 5;
const LONG_OPINION_S = 600;
const APPROVALS = PLAIN.filter(([from]) => from !== 'ETH').length;
// A call of a router or a token; a transfer of nothing is shorter.
const CALL_DIGITS = 300;

const ANSWERS = 'first answers are lost, and asked for again';
const ORDERS = 8; // at a venue

const RESTART_POINTS = [...POINTS.keys()].filter((name) => name.startsWith('restart.'));

const head = async () => Number(await rpc(CHAIN, 'eth_blockNumber'));
const onNode = (hash) => rpc(CHAIN, 'eth_getTransactionByHash', [hash]);

/** As a node that keeps the states of the last few blocks, and no others; `answers` may change what it says further. */
function fewStates({ answers } = {}) {
    let newest = 0;
    return {
        refuses: ({ method, params }) => (
            method === 'eth_getTransactionCount' && Number(params[1]) < newest - 2 ? 'missing trie node' : undefined),
        answers: (call, answer) => {
            if (call.method === 'eth_blockNumber') newest = Number(answer.result);
            return answers?.(call, answer);
        },
    };
}

/** The receipt as that of a transaction that was reverted. */
const asReverted = (answer) => ({ ...answer, result: { ...answer.result, status: '0x0', logs: [] } });
/** And in the next block. */
const asElsewhere = (answer) => ({ ...answer, result: { ...answer.result, blockNumber: toBeHex(Number(answer.result.blockNumber) + 1) } });
const isReceipt = ({ method }, { result }) => method === RECEIPTS && Boolean(result);

/** Blocks until what is in one now is settled, and a few more. */
async function muchLater() {
    const now = await head();
    await until('blocks', async () => await head() > now + 2 * SETTLE_DEPTH);
}

/** Each of a life's hashes is known to the node. */
const allOnNode = async (found) => found.length > 0 && (await Promise.all(found.map(onNode))).every(Boolean);

/** Runs `during`, and `strike` again and again until it is over; how often it struck. */
async function meanwhile(strike, pauseMs, during) {
    let [over, times] = [false, 0];
    const striking = (async () => {
        while (!over) {
            await strike(times++);
            await pause(pauseMs);
        }
    })();
    try {
        await during();
    } finally {
        over = true;
        await striking;
    }
    return times;
}

async function onwards(life, jobs, hosts) {
    jobs.start(hosts);
    await life.follow();
    await life.settle();
}

/** While no block is made, all swaps are with the node; then `during` happens and blocks come again. */
async function stuckInPool(life, jobs, during) {
    await withoutBlocks(CHAIN, async () => {
        await life.execute();
        jobs.start();
        await life.taken();
        await during(await life.transactions());
    });
    await life.follow();
    await life.settle();
}

async function allElapse(life, seconds) {
    for (const { swap_id: id } of await life.here()) await elapse(id, seconds);
}

/** Sends from the wallet from outside, so many times. */
async function foreign(life, times) {
    for (let i = 0; i < times; i++) {
        life.foreign.push((await impersonated(CHAIN, life.address, { to: life.address, value: '0x0' })).hash);
    }
}

async function throughout(life, jobs, node, trouble) {
    node.misbehave(trouble);
    await life.execute();
    await onwards(life, jobs);
}

/** The first answer under each Idempotency-Key; resolves to how many. */
async function firstAnswersLost(life, during) {
    const way = new Way();
    await way.open();
    way.losesFirst();
    life.gateways = [way.url];
    await during();
    life.gateways = [undefined];
    way.close();
    return way.lost;
}

// ---------------------------------------------------------------- tables of the last rows

/** The only failure that there may be where what a transaction needs is away for longer than blocks take it. */
const EXPIRED = 'solana QUOTE_EXPIRED';

const TRADED = {
    bridges: BRIDGING, aggregators: AGGREGATING, 'swaps on Solana': ON_SOLANA, withdrawals: WITHDRAWING, lending: LENDING,
};

const STRIKES = {
    'nothing happens': { strike: () => 1, restMs: 1000 },
    'upstream and the solver are killed again and again': { strike: async () => (await Kept.of('upstream')).kill(), restMs: 1200 },
    'upstream and the solver stand still': {
        strike: async () => {
            const { pid } = await Kept.of('upstream');
            signal(pid, 'SIGSTOP');
            await pause(2500);
            signal(pid, 'SIGCONT');
        },
        restMs: 2500,
    },
    'the workers are killed again and again': {
        strike: async () => { for (const pid of (await Kept.of('gateway')).children('gateway')) signal(pid); }, restMs: 700,
    },
    'the jobs are killed again and again': {
        strike: async ({ jobs }) => {
            for (const pid of jobs.pids) signal(pid);
            await endLeases();
        },
        restMs: 700,
    },
    'the signer is killed again and again': {
        strike: async () => { for (const pid of (await Kept.of('gateway')).children('signer')) signal(pid); }, restMs: 500,
    },
    'the database is killed again and again': { strike: async () => killDatabase(await Kept.of('mariadbd')), restMs: 2000 },
    'the node of one chain is away every second time': {
        strike: ({ node, turn }) => (turn % 2 === 0 ? node.misbehave({ dead: () => true }) : node.behave()), restMs: 2000,
    },
};

const BUILD = `/${CHAIN}/api/v1/route/build`; // of KyberSwap, apart from its offers
/** What the aggregator with the best offers does from some moment on. Three broken promises would put it aside. */
const LETDOWNS = {
    'refuses for good': { service: 'kyberswap', fault: 'blocked' },
    'refuses for good what it has offered': { service: 'kyberswap', fault: 'blocked', path: BUILD },
    'hands over another type than before': { service: 'kyberswap', fault: 'retyped', value: 'data.routerAddress', path: BUILD },
    'hands over another call than before': { service: 'kyberswap', fault: 'selector', times: 2 },
    'hands over another contract than before': { service: 'openocean', fault: 'target', times: 2 },
};
/** Each leaves all of what it brings to the wallet. */
const OF_TWO = { trades: Array(3).fill(PLAIN.map((trade) => [...trade, { chain: CHAIN, providers: ['kyberswap', 'openocean'] }])).flat() };

const askedOf = async (service) => (await control('GET', '')).services.find(({ name }) => name === service).requests;
/** How often at least a carrier was asked of each bridge of a life that is under way. */
const leastAsks = async (life) => Number(await sql(`SELECT MIN(polls) FROM bridges WHERE execution_id IN (${life.accepted.join(', ')})`
    + ' AND delivery = 0'));

/** More blocks than a transaction lives, at once. */
const aLifePasses = () => solana('advance', { value: 152 });
const afterwards = async (life, then) => {
    await life.execute();
    await then();
};

/** By a name, [what happens, how all swaps end], where that is certain. */
const OF_SOLANA = {
    // One: those of the sandbox do not overlap.
    'a fork is dropped after it was confirmed': [async (life) => {
        await solana('fork', { times: 1, value: 6 });
        await life.execute();
    }, 'completed'],
    'nodes drop what they take, again and again': [(life, jobs) => meanwhile(() => solana('drop', { times: 3 }), 1000, async () => {
        jobs.start();
        await life.execute();
        await pause(3000);
    })],
    '152 slots pass before anything lands': [async (life) => {
        await solana('drop');
        await afterwards(life, aLifePasses);
    }, 'failed'],
    '152 slots pass once it has landed': [(life) => afterwards(life, async () => {
        await life.landed();
        await aLifePasses();
    }), 'completed'],
    '152 slots pass while it is on its way': [async (life) => {
        await solana('late', { value: 3000 });
        await afterwards(life, aLifePasses);
    }],
    'a life of a transaction has all but passed when it lands': [async (life) => {
        await solana('late', { value: 1000 });
        await afterwards(life, () => solana('advance', { value: 100 }));
    }],
    'no node has a history': [(life, jobs) => afterwards(life, async () => {
        await life.landed();
        await solana('no_history');
        for (let i = 0; i < 3; i++) await aLifePasses();
        jobs.start();
        await pause(4000);
        assert.ok((await life.statuses()).every((status) => status !== 'failed'));
        await solanaBehaves();
    }), 'completed'],
    'one of two nodes has no history': [(life) => afterwards(life, async () => {
        await life.landed();
        await solana('no_history', { path: '/second' });
        for (let i = 0; i < 3; i++) await aLifePasses();
    }), 'completed'],
    'one of two nodes is far behind': [async (life, jobs) => {
        await solana('behind', { path: '/second', value: 200 });
        await life.execute();
        jobs.start();
        await life.ended();
        for (const id of life.accepted) await elapse(id, LONG_OPINION_S); // then the word of the other one is enough
    }, 'completed'],
    'the nodes stand still': [async (life, jobs) => {
        const pid = await pidOf('solana-rpc');
        jobs.start();
        return meanwhile(async () => {
            signal(pid, 'SIGSTOP');
            await pause(1500);
            signal(pid, 'SIGCONT');
        }, 1500, () => life.execute().then(() => life.ended()));
    }],
};

const ALL = [
    // ---------------------------------------------------------------- the database
    ['the database is killed while swaps are accepted', async ({ life, jobs }) => {
        const database = await Kept.of('mariadbd');
        const executing = life.execute();
        await until('a swap under way', async () => await sql('SELECT COUNT(*) FROM executions WHERE in_flight = 1') !== '0', { interval: 10 });
        await killDatabase(database);
        await executing;
        await onwards(life, jobs);
        return 1;
    }],
    ['the database is killed again and again', async ({ life, jobs }) => {
        const database = await Kept.of('mariadbd');
        const times = await meanwhile(() => killDatabase(database), 300, async () => {
            await life.execute();
            jobs.start();
            await life.ended();
        });
        await life.follow();
        await life.settle();
        return times;
    }],
    ['the disk of the database is full', async ({ life, jobs }) => {
        const { refusals, clear, noticed } = await fillDisk();
        const executing = life.execute();
        jobs.start();
        await until('the engine to refuse something of ours', noticed);
        await pause(3000);
        await clear();
        await executing;
        await life.follow();
        await life.settle();
        return Math.max(refusals(), 1); // an engine that ended itself refused everything
    }],
    // ---------------------------------------------------------------- restarts of the gateway
    ['the gateway is restarted again and again', async ({ life, jobs }) => {
        const gateway = await Kept.of('gateway');
        const times = await meanwhile(() => signal(gateway.pid, 'SIGHUP'), 300, async () => {
            await life.execute(1);
            jobs.start();
            await life.ended();
        });
        await life.follow();
        await life.settle();
        return times;
    }],
    ...RESTART_POINTS.flatMap((point) => POINTS.get(point).map((action) => [`${point} ${action}, while swaps are accepted`, async ({ life, jobs }) => {
        const gateway = await Kept.of('gateway');
        arm(point, action, 1);
        signal(gateway.pid, 'SIGHUP');
        const executing = life.execute();
        await hit(point);
        const times = hits(point);
        if (action === 'kill' && point !== 'restart.check') await gateway.kill();
        await executing;
        disarm();
        await onwards(life, jobs);
        return times;
    }])),
    // ---------------------------------------------------------------- nodes
    ['the node takes transactions and the reply is lost', async ({ life, jobs, node }) => {
        let times = 0;
        await throughout(life, jobs, node, { drops: ({ method }) => method === SENDS && ++times < 8 });
        return times;
    }],
    ['the node forgets what it took', ({ life, jobs }) => {
        let times = 0;
        return stuckInPool(life, jobs, async (all) => {
            for (const hash of all) times += await rpc(CHAIN, 'anvil_dropTransaction', [hash]) ? 1 : 0;
            await allElapse(life, 10);
            await until('the node to have all of them again', () => allOnNode(all));
        }).then(() => times);
    }],
    ['the node is three blocks behind', async ({ life, jobs, node }) => {
        await throughout(life, jobs, node, { lag: () => 3 });
        return node.turn;
    }],
    ['of two nodes, one is three blocks behind', async ({ life, jobs, node }) => {
        await throughout(life, jobs, node, { lag: (turn) => (turn % 2) * 3 });
        return node.turn;
    }],
    ['the node is away every second time', async ({ life, jobs, node }) => {
        let times = 0;
        await throughout(life, jobs, node, { dead: () => times++ % 2 === 0 });
        return times;
    }],
    ['the node hangs again and again', async ({ life, jobs, node }) => {
        const executing = life.execute();
        jobs.start();
        const times = await meanwhile(async () => {
            node.misbehave({ hangs: () => true });
            await pause(4000); // long enough to be left alone
            node.behave();
        }, 3000, () => executing.then(() => life.follow()));
        await life.settle();
        return times;
    }],
    ['the node stands still', async ({ life, jobs }) => {
        const pid = await pidOf(`anvil-${CHAIN}`);
        const executing = life.execute();
        jobs.start();
        const times = await meanwhile(async () => {
            signal(pid, 'SIGSTOP');
            await pause(1500);
            signal(pid, 'SIGCONT');
        }, 1500, () => executing.then(() => life.follow()));
        await life.settle();
        return times;
    }],
    ...[0, 2].map((silent) => [`nodes want more gas than a transfer takes, and say so ${silent === 0 ? 'at once' : 'later'}`, async ({ life, jobs, node }) => {
        const MORE = 300_000;
        let [times, silences] = [0, 0];
        node.misbehave({
            refuses: ({ method, params }) => {
                if (method === 'eth_estimateGas' && silences > 0 && silences--) return 'overloaded';
                if (method !== SENDS || Number(Transaction.from(params[0]).gasLimit) >= MORE) return undefined;
                times++;
                return 'intrinsic gas too low';
            },
            answers: ({ method }, answer) => (
                method === 'eth_estimateGas' && answer.result ? { ...answer, result: toBeHex(Number(answer.result) + MORE) } : undefined),
        });
        await stuckInPool(life, jobs, async (all) => {
            silences = silent;
            await allElapse(life, 300);
            await until('what takes the nonces back', async () => {
                const cancels = await life.transactions('cancel', 'revocation');
                return cancels.length >= all.length && (await Promise.all(cancels.map(onNode))).filter(Boolean).length === all.length;
            });
        });
        const { failed, accepted } = await life.audit();
        assert.equal(failed, accepted);
        assert.equal(times > 0, silent > 0);
        return Math.max(times, 1);
    }]),
    ['nodes find the transactions underpriced', async ({ life, jobs, node }) => {
        const first = new Map();
        let times = 0;
        await throughout(life, jobs, node, {
            refuses: ({ method, params }) => {
                if (method !== SENDS) return undefined;
                const { nonce, maxPriorityFeePerGas: tip, maxFeePerGas: most } = Transaction.from(params[0]);
                if (!first.has(nonce)) first.set(nonce, [tip, most]);
                if ([tip, most].every((bid, i) => bid * 100n >= first.get(nonce)[i] * 126n)) return undefined;
                times++;
                return 'transaction underpriced';
            },
        });
        assert.equal((await life.audit()).completed, life.accepted.length);
        return times;
    }],
    ['the node counts 50 pending transactions that are none', async ({ life, jobs, node }) => {
        let times = 0;
        node.misbehave({
            answers: ({ method, params }, answer) => {
                if (method !== 'eth_getTransactionCount' || params[1] !== 'pending') return undefined;
                times++;
                return { ...answer, result: toBeHex(Number(answer.result) + 50) };
            },
        });
        await life.execute(1);
        node.behave();
        jobs.start();
        await allElapse(life, 31);
        await life.follow();
        await life.settle();
        const { completed, transactions } = await life.audit();
        assert.equal(completed, life.accepted.length);
        assert.equal(transactions, APPROVALS + completed + (await life.transactions('cancel', 'revocation')).length);
        return times;
    }],
    ['nodes refuse the transactions for good', async ({ life, jobs, node }) => {
        let times = 0;
        await throughout(life, jobs, node, {
            refuses: ({ method, params }) => {
                if (method !== SENDS || params[0].length < CALL_DIGITS) return undefined;
                times++;
                return 'transaction type not supported';
            },
        });
        assert.equal((await life.audit()).failed, life.accepted.length);
        return times;
    }],
    ...[
        ['receipts', [RECEIPTS], (trouble) => trouble],
        ['receipts, transactions and old states', [RECEIPTS, 'eth_getTransactionByHash'], fewStates],
    ].map(([what, omitted, as]) => [
        `the node omits ${what} for longer than it takes to settle`, async ({ life, jobs, node }) => {
            let times = 0;
            node.misbehave(as({
                answers: ({ method }, answer) => {
                    if (!answer.result || !omitted.includes(method)) return undefined;
                    times++;
                    return { ...answer, result: null };
                },
            }));
            await life.execute();
            jobs.start();
            await until('all to be in blocks', async () => await nonceOf(CHAIN, life.address) === APPROVALS + life.accepted.length);
            await muchLater();
            assert.deepEqual(await life.statuses(), life.accepted.map(() => 'submitted'));
            node.behave();
            await life.follow();
            await life.settle();
            assert.equal((await life.audit()).completed, life.accepted.length);
            return times;
        }]),
    ['the node says that what succeeded was reverted', async ({ life, jobs, node }) => {
        let times = 0;
        node.misbehave({
            answers: (call, answer) => (isReceipt(call, answer) && ++times ? asReverted(answer) : undefined),
        });
        await life.execute();
        jobs.start();
        await life.ended();
        await life.settle();
        assert.deepEqual(await life.statuses(), life.accepted.map(() => 'failed'));
        node.behave();
        await until('all to be corrected', async () => (await life.statuses()).every((status) => status === 'completed'));
        await life.follow();
        assert.equal((await life.audit()).completed, life.accepted.length);
        assert.equal(life.corrections(), life.accepted.length);
        return times;
    }],
    ['the node says once that what succeeded was reverted', async ({ life, jobs, node }) => {
        const told = new Set();
        await throughout(life, jobs, node, {
            answers: (call, answer) => {
                if (!isReceipt(call, answer) || told.has(answer.result.transactionHash)) return undefined;
                told.add(answer.result.transactionHash);
                return asReverted(answer);
            },
        });
        assert.equal((await life.audit()).due, life.accepted.length);
        return told.size;
    }],
    ['of two nodes, the first said once that what succeeded was reverted, and the second says so again and again', async ({ life, jobs, node }) => {
        const told = new Set();
        let times = 0;
        node.misbehave({
            answers: (call, answer, path) => {
                if (!isReceipt(call, answer)) return undefined;
                const { transactionHash: hash } = answer.result;
                if (path === FIRST && told.has(hash)) return undefined;
                if (path === FIRST) told.add(hash);
                times++;
                return asReverted(answer);
            },
        });
        await life.execute();
        jobs.start();
        await until('all to be in blocks', async () => await nonceOf(CHAIN, life.address) === APPROVALS + life.accepted.length);
        await muchLater();
        assert.ok((await life.statuses()).every((status) => status !== 'failed'));
        node.behave();
        await life.follow();
        await life.settle();
        assert.equal((await life.audit()).due, life.accepted.length);
        return times;
    }],
    ['a completed swap was reverted in another block, which has settled by the time of the next look', async ({ life, jobs, node }) => {
        let times = 0;
        await withoutBlocks(CHAIN, async () => {
            await life.execute();
            jobs.start();
            await life.taken();
            await rpc(CHAIN, 'anvil_mine', ['0x2', '0x0']);
            await life.ended();
            await jobs.stop();
        });
        assert.deepEqual(await life.statuses(), life.accepted.map(() => 'completed'));
        node.misbehave({
            answers: (call, answer) => (isReceipt(call, answer) && ++times ? asElsewhere(asReverted(answer)) : undefined),
        });
        await muchLater();
        jobs.start();
        await until('all to be taken back', async () => (await life.statuses()).every((status) => status === 'failed'));
        await life.settle();
        node.behave();
        await until('all to be corrected', async () => (await life.statuses()).every((status) => status === 'completed'));
        await life.follow();
        assert.equal((await life.audit()).completed, life.accepted.length);
        return times;
    }],
    ...Object.entries(LOST).map(([name, trouble]) => [`a lost node: ${name}`, async ({ life, jobs, node }) => {
        let times = 0;
        node.watch = ({ url }) => { times += url === FIRST ? 1 : 0; };
        node.misbehave({ ...trouble, path: FIRST });
        await life.execute();
        jobs.start();
        await life.follow();
        await allElapse(life, LONG_OPINION_S); // then the word of the other one is enough
        await life.settle();
        node.watch = undefined;
        assert.equal((await life.audit()).completed, life.accepted.length);
        return times;
    }]),
    ...Object.entries(REFUSALS).map(([name, refuse]) => [`batches of three: ${name}`, async ({ life, jobs, node }) => {
        const sizes = [];
        await throughout(life, jobs, node, takes(3, refuse, sizes));
        assert.equal((await life.audit()).completed, life.accepted.length);
        return sizes.filter((size) => size > 3).length;
    }]),
    [ANSWERS, async ({ life, jobs }) => {
        const lost = await firstAnswersLost(life, () => life.execute());
        await onwards(life, jobs);
        assert.equal((await life.audit()).completed, life.accepted.length);
        return lost;
    }, { fresh: true }],
    // ---------------------------------------------------------------- the chain
    ['blocks are reorganised away', async ({ life, jobs }) => {
        const funded = await head();
        await until('two blocks', async () => await head() >= funded + 2);
        const before = await head();
        await life.execute();
        jobs.start();
        await life.follow();
        await rpc(CHAIN, 'anvil_reorg', [Math.min(await head() - before, 5), []]);
        const due = life.accepted.length + (await life.here()).length;
        await until('a second round of events', async () => (await life.audit()).due >= due);
        await life.follow();
        await life.settle();
        return 1;
    }],
    ['fees rise and transactions are stuck', ({ life, jobs }) => stuckInPool(life, jobs, async (all) => {
        const dearest = Math.max(...(await Promise.all(all.map(onNode))).map(({ maxFeePerGas }) => Number(maxFeePerGas)));
        await rpc(CHAIN, 'anvil_setNextBlockBaseFeePerGas', [toBeHex(BigInt(dearest) * 20n)]);
        await rpc(CHAIN, 'anvil_mine', ['0x1', '0x0']);
        await allElapse(life, 61);
        await until('dearer ones', async () => (await life.transactions()).length > all.length);
    }).then(() => 1)],
    ['fees rise and the time is over', ({ life, jobs }) => stuckInPool(life, jobs, async (all) => {
        await allElapse(life, 300);
        await until('what takes the nonces back', async () => {
            const cancels = await life.transactions('cancel', 'revocation');
            return cancels.length === all.length && allOnNode(cancels);
        });
    }).then(async () => {
        assert.equal((await life.audit()).failed, (await life.here()).length);
        return 1;
    })],
    // ---------------------------------------------------------------- the wallet elsewhere
    ['the wallet is used elsewhere', async ({ life, jobs }) => {
        await foreign(life, 2);
        await life.execute();
        await onwards(life, jobs);
        return life.foreign.length;
    }],
    ...[1, 2].map((times) => [`the wallet is used elsewhere, and the node does not know (${times})`, async ({ life, jobs, node }) => {
        node.misbehave({ lag: () => 3 });
        await foreign(life, times);
        await life.execute(1);
        node.misbehave(fewStates());
        await onwards(life, jobs);
        return life.foreign.length;
    }, APPROVAL_FIRST]),
    // ---------------------------------------------------------------- the clock
    ...[HOUR_S, -HOUR_S].map((seconds) => [`the clock jumps by ${seconds} s`, async ({ life, jobs }) => {
        life.signed = false;
        await life.execute();
        shiftClock(seconds);
        await onwards(life, jobs);
        assert.equal((await life.audit()).failed, 0);
        return 1;
    }]),
    ['the clock goes to and fro', async ({ life, jobs }) => {
        life.signed = false;
        return meanwhile((turn) => shiftClock((turn % 3 - 1) * 40), 700, async () => {
            await life.execute();
            await onwards(life, jobs);
        });
    }],
    // ---------------------------------------------------------------- programs
    ['five hosts\' jobs at once, whose leases never hold', async ({ life, jobs }) => {
        await life.execute();
        return meanwhile(endLeases, 20, () => onwards(life, jobs, 5));
    }],
    ['the signer is killed again and again', async ({ life, jobs }) => {
        const gateway = await Kept.of('gateway');
        let times = 0;
        await meanwhile(() => { for (const pid of gateway.children('signer')) times += signal(pid) ? 1 : 0; }, 50, () => life.execute());
        await onwards(life, jobs);
        return times;
    }],
    ['the signer stands still', async ({ life, jobs }) => {
        const pid = await pidOf('signer');
        signal(pid, 'SIGSTOP');
        const executing = life.execute();
        await pause(2000);
        signal(pid, 'SIGCONT');
        await executing;
        await onwards(life, jobs);
        return 1;
    }],
    ['the gateway\'s parent is killed', async ({ life, jobs }) => {
        const gateway = await Kept.of('gateway');
        const executing = life.execute();
        await pause(100);
        await gateway.kill();
        await executing;
        await onwards(life, jobs);
        return 1;
    }],
    ['receivers fail at first', async ({ life, jobs }) => {
        let times = 0;
        life.receive = () => (++times <= life.trades.length ? 500 : 200);
        await life.execute();
        await onwards(life, jobs);
        return times;
    }],
    // ---------------------------------------------------------------- providers and carriers of trades
    ...Object.entries(TRADED).flatMap(([what, how]) => Object.entries(STRIKES).map(([trouble, { strike, restMs }]) => [`${what}: ${trouble}`, async ({ life, jobs, node }) => {
        jobs.start();
        const times = await meanwhile((turn) => strike({ jobs, node, turn }), restMs, () => life.execute().then(() => life.ended()));
        node.behave();
        await life.follow();
        await life.settle();
        assert.deepEqual((await life.failures()).filter((why) => why !== EXPIRED), []);
        return times;
    }, how])),
    ...Object.entries(LETDOWNS).map(([what, wrong]) => [`aggregators: the best of them ${what}`, async ({ life, jobs }) => {
        await control('POST', '', { service: wrong.service, fault: 'bonus', value: 60 });
        const before = await askedOf(wrong.service);
        const executing = life.execute(1);
        await until('one to be accepted', () => life.accepted.length > 0, { interval: 10 });
        await control('POST', '', wrong);
        await executing;
        await onwards(life, jobs);
        assert.equal((await life.audit()).completed, life.trades.length);
        return await askedOf(wrong.service) - before;
    }, OF_TWO]),
    ['bridges: two of three carriers end their service while they are under way', async ({ life, jobs }) => {
        await life.execute();
        await control('POST', '', { service: 'relay', fault: 'http_410' });
        await control('POST', '', { service: 'across', fault: 'http_404' });
        jobs.start();
        await until('the third one\'s to be completed', async () => (await life.statuses()).includes('completed'));
        const asks = await leastAsks(life);
        await until('the others to be asked again', async () => await leastAsks(life) > asks + 2);
        assert.deepEqual((await life.statuses()).sort(), ['completed', 'processing', 'processing']);
        await behave();
        await life.follow();
        await life.settle();
        assert.equal((await life.audit()).completed, life.trades.length);
        return asks + 2;
    }, BRIDGED],
    // ---------------------------------------------------------------- Solana
    ...Object.entries(OF_SOLANA).map(([what, [run, ends]]) => [`on Solana ${what}`, async ({ life, jobs }) => {
        const times = await run(life, jobs);
        await onwards(life, jobs);
        if (ends !== undefined) assert.deepEqual(await life.statuses(), life.accepted.map(() => ends));
        assert.deepEqual((await life.failures()).filter((why) => why !== EXPIRED), []);
        return times ?? 1;
    }, ON_SOLANA]),
];

/**
 * What a chain does to withdrawals too: they bear a record of the signer's, which a repair needs again; and to what is done at
 * lenders, in up to five steps.
 */
const OF_WITHDRAWALS = [
    'the node takes transactions and the reply is lost', 'the node forgets what it took', 'the node is away every second time',
    'nodes find the transactions underpriced', 'blocks are reorganised away', 'fees rise and transactions are stuck',
    'fees rise and the time is over', ANSWERS,
];

export const TROUBLES = [
    ...ALL, ...ALL.filter(([name]) => OF_WITHDRAWALS.includes(name)).map(([name, run]) => [`withdrawals: ${name}`, run, WITHDRAWING]),
    ...ALL.filter(([name]) => OF_WITHDRAWALS.includes(name)).map(([name, run]) => [`lending: ${name}`, run, LENDING]),
    ...ALL.filter(([name]) => name === ANSWERS).flatMap(([name, run]) => [
        [`bridges: ${name}`, run, { ...BRIDGED, fresh: true }], [`swaps on Solana: ${name}`, run, { ...ON_SOLANA, fresh: true }],
    ]),
];

/** The same of what is traded at venues: money there, orders that are filled, rest and are taken back, and money back. */
const LOST_AT_VENUES = [['bets', PredictionLife], ['perpetuals', PerpsLife]].map(([what, Trader]) => [`${what}: ${ANSWERS}`, async (jobs) => {
    const life = new Trader();
    await life.prepare();
    await life.win?.();
    jobs.start();
    const hits = await firstAnswersLost(life, () => life.trade(ORDERS));
    await life.follow();
    await life.settle();
    return { lives: [life], hits };
}]);

/** What the relayer of trading wallets does from some moment on, and the status by which it says so. */
const RELAYER = {
    'refuses for good while orders and a withdrawal are in progress': [{ fault: 'http_401', path: '/relayer' }, ({ fault }) => fault === 'http_401'],
    'has no quota left once the first of two wallets is made': [{ fault: 'relay_quota', value: 5 }, ({ path, status }) => path === '/relayer/submit' && status === 429],
};
const PATIENT_ASKS = 3;

/** Of two wallets one is made before it does so, and the other one meanwhile; nothing is lost of either. */
const AT_THE_RELAYER = Object.entries(RELAYER).map(([what, [wrong, isRefusal]]) => [`bets: the relayer ${what}`, async (jobs) => {
    const lives = [new PredictionLife(), new PredictionLife()];
    await Promise.all(lives.map((life) => life.prepare()));
    jobs.start();
    const [first, second] = lives;
    await first.deposit();
    const before = (await control('GET', '/audit?service=polymarket')).filter(isRefusal).length;
    await control('POST', '', { service: 'polymarket', ...wrong });
    const trading = Promise.all([first.execute(ORDERS, 0).then(() => first.withdraw()), second.deposit()]);
    const refusals = async () => (await control('GET', '/audit?service=polymarket')).filter(isRefusal).length - before;
    await until('refusals of the relayer', async () => await refusals() >= PATIENT_ASKS);
    const times = await refusals();
    await behave();
    await trading;
    await second.execute(ORDERS, 0);
    for (const life of lives) {
        await life.follow();
        await life.settle();
    }
    return { lives, hits: times };
}]);

export const AT_VENUES = [...LOST_AT_VENUES, ...AT_THE_RELAYER];

/** A life that is prepared goes through one of them. */
export async function suffer(run, how, jobs, node) {
    const life = new Life(how);
    await life.prepare();
    return { hits: await run({ life, jobs, node }), lives: [life] };
}
