// Perpetuals, as an agent trades them: dollars to the venue, an order that rests and is taken back, one that is filled and has
// others behind it, a position that is closed, dollars back, events. Afterwards the books of gateway, venue and chain are compared.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { parseUnits } from 'ethers';
import { MESSENGER } from '../../contrib/sandbox/perps.mjs';
import { granted, show, until } from '../api/lib.mjs';
import {
    balance, erc20, fund, give, rpc, units as dollarsOn,
} from '../api/chain.mjs';
import { settings } from '../jobs/lib.mjs';
import { PatientAgent } from './agent.mjs';
import { booksOf } from './books.mjs';
import { CHAIN } from './life.mjs';
import { control } from './prediction.mjs';
import { sqlAgain } from './programs.mjs';

const COINS = '10';
const DOLLARS = '1000'; // on the chain
const GIVEN = '501'; // at the venue, of which the first credit costs one
const DEPOSIT = '500';
const WITHDRAWAL = '40';
const PLACES = 8;
const WITHDRAWAL_GAS = 80_000n; // of ten to the -8th of a dollar: what the venue takes of a withdrawal by Circle's way
const TRIES = 8;

/** What is filled at once, with what takes gains and stops losses behind it; and what rests. */
const FILLED = { market: 'SOL-USD', side: 'long', size: '1' };
const BRACKET = { ...FILLED, leverage: 3, takeProfit: '200', stopLoss: '100' };
const SMALL = { market: 'ETH-USD', side: 'long', size: '0.01' };
const RESTING = { ...SMALL, type: 'limit', price: '2500' };

const FINAL_TRANSFER = /^(completed|failed)$/;
const ENDS = { filled: 'perps.order.filled', cancelled: 'perps.order.cancelled', rejected: 'perps.order.rejected' };
/** Why an order is refused that may be granted a moment later: what it takes is on its way, or is seen late. */
const TOO_EARLY = ['INSUFFICIENT_BALANCE', 'INSUFFICIENT_MARGIN', 'POSITION_NOT_FOUND'];

/** By the status here, those that fit at the venue; what waits for another order has none there. */
const AT_VENUE = {
    pending: /^never$/, open: /^(open|none)$/, filled: /^filled$/, cancelled: /anceled$|^none$/, rejected: /Rejected$|^none$/,
};

const { SANDBOX_UPSTREAM_PORT } = settings();
const INFO = `http://127.0.0.1:${SANDBOX_UPSTREAM_PORT}/hyperliquid/info`;

const act = (fault, value) => control('POST', '', { service: 'hyperliquid', fault, value });
const audited = (table) => control('GET', `/audit/${table}?service=hyperliquid`);

/** What the venue itself says, which may be away for a moment. */
const said = (type, more) => until(`the venue to answer ${type}`, async () => {
    const answer = await fetch(INFO, { method: 'POST', body: JSON.stringify({ type, ...more }) }).catch(() => null);
    return answer?.ok && answer.json();
});

/** Of orders, what they show of those behind them that these do not show of themselves. */
function shownOtherwise(orders, behind) {
    const own = new Map(behind.map(({ id, status }) => [id, status]));
    return orders.flatMap(({ id, children = [] }) => children.filter((child) => child.status !== own.get(child.id))
        .map((child) => `order ${id} shows ${child.id} as ${child.status}, and it is ${own.get(child.id)}`));
}

const units = (amount) => parseUnits(String(amount), PLACES);
const sumOf = (list, of) => list.reduce((sum, each) => sum + of(each), 0n);

export class PerpsLife extends PatientAgent {
    orders = []; // ids of those that were accepted

    transfers = [];

    given = 0n; // to its account at the venue, as if it had been deposited before

    /** One whose money is at the venue. */
    static async funded() {
        const life = new PerpsLife();
        await life.prepare();
        await act('give', { user: life.address, amount: GIVEN });
        life.given = units(GIVEN) - units('1');
        return life;
    }

    /** With dollars on the chain, so deep that no reorganisation takes them back. */
    async prepare() {
        await act('funding_hours', { on: false });
        await this.register();
        await fund(CHAIN, this.address, COINS);
        await give(CHAIN, this.address, 'USDC', DOLLARS);
        await booksOf(CHAIN).settle(CHAIN);
    }

    // ---------------------------------------------------------------- what the agent does

    /** With an Idempotency-Key: an answer that is lost is no other order. What is refused too early is asked for anew. */
    #asked(path, json) {
        const key = randomUUID();
        return until(`${path} to be granted`, async () => {
            const answer = await this.ask('POST', `/perps/${path}`, json, key);
            assert.ok(answer.status === 200 || TOO_EARLY.includes(answer.body.error_code), show(answer));
            return answer.status === 200 && answer.body;
        });
    }

    async #transfer(path, amount) {
        const { transfer } = await this.#asked(path, { amount, chain: CHAIN });
        this.transfers.push(transfer.id);
        return until(`transfer ${transfer.id} to end`, async () => {
            const now = granted(await this.ask('GET', `/perps/transfer/${transfer.id}`)).transfer;
            return FINAL_TRANSFER.test(now.status) && now;
        });
    }

    deposit() {
        return this.#transfer('deposit', DEPOSIT);
    }

    withdraw() {
        return this.#transfer('withdraw', WITHDRAWAL);
    }

    async #placed(path, json) {
        const { order } = await this.#asked(path, json);
        this.orders.push(order.id);
        return order;
    }

    /** An agent that is told that its order was never placed places it anew. */
    async #done(path, json) {
        for (let i = 0; i < TRIES; i++) {
            const { id } = await this.#placed(path, json);
            const now = await until(`order ${id} to be definite`, async () => {
                const order = await this.#order(id);
                return order.status !== 'pending' && order;
            });
            if (now.status !== 'rejected') return now;
        }
        return assert.fail(`${TRIES} orders in a row were rejected`);
    }

    /** An order that rests and one that is filled, at once: the first ones of a wallet have its key approved. */
    async open() {
        [this.resting] = await Promise.all([this.#done('order', RESTING), this.#done('order', BRACKET)]);
    }

    async cancel(id) {
        const answer = await this.ask('DELETE', `/perps/order/${id}`, undefined, randomUUID());
        assert.ok([200, 202, 409].includes(answer.status), show(answer));
    }

    async takeBack() {
        const { id } = this.resting;
        await this.cancel(id);
        await until(`order ${id} to end`, async () => ENDS[(await this.#order(id)).status] !== undefined);
    }

    close() {
        return this.#done('close', { market: FILLED.market });
    }

    /** So many orders, with a rest after each, between a deposit and a withdrawal: every fourth one closes what another opened. */
    async execute(count, restMs) {
        await this.deposit();
        const turns = [
            () => this.#placed('order', BRACKET),
            async () => this.cancel((await this.#placed('order', RESTING)).id),
            () => this.close(),
            () => this.#placed('order', SMALL),
        ];
        for (let i = 0; i < count; i++) {
            await turns[i % turns.length]();
            await pause(restMs);
        }
        await this.withdraw();
    }

    /** From the deposit to the withdrawal. */
    trade(count) {
        return this.execute(count, 0);
    }

    async #order(id) {
        return granted(await this.ask('GET', `/perps/order/${id}`)).order;
    }

    // ---------------------------------------------------------------- until it is all over

    /** All orders, and all that stands behind them. */
    async #all() {
        const orders = await this.all('/perps/', 'orders');
        const behind = await Promise.all(orders.flatMap(({ children = [] }) => children.map(({ id }) => this.#order(id))));
        return { orders, behind };
    }

    /** Until each order is where it stays, each transfer over, and each event delivered. */
    async follow() {
        await until('orders to be placed, and taken back where that was asked for', async () => (
            (await this.all('/perps/', 'orders')).every(({ status, cancelRequested }) => status !== 'pending' && !cancelRequested)));
        await until('transfers to end', async () => (await this.all('/perps/', 'transfers')).every(({ status }) => FINAL_TRANSFER.test(status)));
        await until('all events to be delivered', async () => (
            await this.total('/webhooks?limit=1') === await this.total('/webhooks?limit=1&status=delivered')));
    }

    /** Until neither the chain nor the venue, which is honest again, changes anything any more. */
    async settle() {
        await control('DELETE', '');
        await booksOf(CHAIN).settle(CHAIN);
        await sqlAgain(`UPDATE executions SET due_at = UTC_TIMESTAMP(3) WHERE in_flight = 1 AND agent_id = ${await this.row()}`);
        await until('everything to be settled', async () => await sqlAgain(`SELECT
            (SELECT COUNT(*) FROM executions WHERE in_flight = 1 AND agent_id = ${await this.row()})
            + (SELECT COUNT(*) FROM perps_orders WHERE status <> 2 AND final = 0 AND agent_id = ${await this.row()})`) === '0');
        await this.#lookedAt();
        await this.follow();
    }

    /** Until the job has seen what has ended: what stands behind a position ends with it. */
    async #lookedAt() {
        await sqlAgain(`UPDATE perps_accounts SET due_at = UTC_TIMESTAMP(3) WHERE due_at IS NOT NULL AND agent_id = ${await this.row()}`);
        await until('all that is open here to be open there', async () => {
            const { orders, behind } = await this.#all();
            const there = new Map((await audited('orders')).map(({ cloid, status }) => [cloid, status]));
            return [...orders, ...behind].every(({ id, status }) => status !== 'open' || AT_VENUE.open.test(there.get(id) ?? 'none'));
        });
    }

    // ---------------------------------------------------------------- the books

    /** What became of it all. `wrong` says where gateway, venue, chain and events disagree. */
    async audit() {
        const { orders, behind } = await this.#all();
        const transfers = await this.all('/perps/', 'transfers');
        const venue = await this.#atVenue(orders, behind);
        const events = await this.#eventsHeard([...orders, ...behind], transfers);
        const own = [...this.orders, ...this.transfers], known = [...orders, ...transfers].map(({ id }) => id);
        const open = orders.filter(({ status }) => status === 'pending').length + transfers.filter(({ status }) => !FINAL_TRANSFER.test(status)).length;
        return {
            accepted: own.length,
            completed: orders.filter(({ status }) => /^(open|filled|cancelled)$/.test(status)).length
                + transfers.filter(({ status }) => status === 'completed').length,
            failed: orders.filter(({ status }) => status === 'rejected').length + transfers.filter(({ status }) => status === 'failed').length,
            transactions: venue.actions,
            duplicates: known.length - new Set(own).size + venue.duplicates,
            lost: open + own.filter((id) => !known.includes(id)).length + venue.lost,
            due: events.due,
            delivered: events.delivered,
            wrong: [...venue.wrong, ...events.wrong, ...shownOtherwise(orders, behind), ...await this.#totals(orders), ...await this.#money(transfers)],
        };
    }

    /** The totals that are kept are what a count says. */
    async #totals(orders) {
        const totals = await Promise.all(Object.keys(AT_VENUE).map(async (status) => [
            status, await this.total(`/perps/orders?limit=1&status=${status}`), orders.filter((order) => order.status === status).length,
        ]));
        return totals.filter(([, kept, counted]) => kept !== counted).map(([status, kept, counted]) => `${kept} orders are said to be ${status}, which ${counted} are`);
    }

    /** Each of ours is known to the venue as it is to us, once, and it has none that we do not know; nothing was signed twice. */
    async #atVenue(orders, behind) {
        const user = this.address.toLowerCase();
        const rows = (await audited('orders')).filter((row) => row.user === user), found = new Map(rows.map((row) => [row.cloid, row]));
        const accepted = (await audited('accepted')).filter((row) => row.user === user);
        const wrong = [], all = [...orders, ...behind], ids = new Set(all.map(({ id }) => id));
        for (const { id, status, filledSize } of all) {
            const { status: there = 'none', filled = '0' } = found.get(id) ?? {};
            if (!AT_VENUE[status].test(there)) wrong.push(`order ${id} is ${status} here and ${there} there`);
            if (units(filledSize) !== units(filled)) wrong.push(`order ${id} is filled by ${filledSize} here and by ${filled} there`);
        }
        const foreign = rows.filter(({ cloid }) => !ids.has(cloid));
        wrong.push(...foreign.map(({ oid }) => `the venue has ${oid}, which is none of our orders`));
        const signers = new Set([user, ...accepted.map(({ signer }) => signer)]);
        const isOwn = ({ id }) => ids.has(id) || signers.has(id.split('/')[0]);
        wrong.push(...(await audited('reused')).filter(isOwn).map(({ id }) => `${id} came with several bodies`));
        wrong.push(...(await audited('late')).filter(isOwn).map(({ id }) => `${id} was taken after its time`));
        const keys = (await said('extraAgents', { user })).length;
        if (keys > 1) wrong.push(`${keys} keys may trade`);
        return {
            actions: accepted.length,
            duplicates: foreign.length + rows.length - found.size,
            lost: orders.filter(({ id, status }) => status !== 'rejected' && !found.has(id)).length,
            wrong,
        };
    }

    async #eventsHeard(orders, transfers) {
        const events = [...this.heard.values()];
        const told = (type, id) => events.filter((event) => event.type === type && event.data.id === id);
        const wrong = [...this.unheard];
        for (const { id, status } of orders.filter((order) => ENDS[order.status] !== undefined)) {
            const times = told(ENDS[status], id).length;
            if (times !== 1) wrong.push(`${times} events say that order ${id} is ${status}`);
        }
        for (const { id, status } of transfers) {
            if (told(`perps.transfer.${status}`, id).length < 1) wrong.push(`no event says that transfer ${id} is ${status}`);
        }
        return { due: await this.total('/webhooks?limit=1'), delivered: events.length, wrong };
    }

    /** Every unit of dollars is accounted for, on the chain and at the venue, and no contract has an allowance. */
    async #money(transfers) {
        const user = this.address.toLowerCase(), wrong = [];
        const same = (what, found, expected) => { if (found !== expected) wrong.push(`${found} ${what} instead of ${expected}`); };
        const done = (type) => transfers.filter((each) => each.type === type && each.status === 'completed');
        const arrived = ({ amount, fee }) => units(amount) - units(fee);
        const [fills, traded] = [await this.all('/perps/', 'fills'), await said('userFills', { user })];
        same('trades', fills.length, traded.length);
        for (const what of ['fee', 'closedPnl']) same(`dollars of ${what}`, sumOf(fills, (fill) => units(fill[what])), sumOf(traded, (fill) => units(fill[what])));
        const paid = sumOf((await said('userFunding', { user, startTime: 0 })).filter(({ delta }) => /^\w+$/.test(delta.coin)), ({ delta }) => units(delta.usdc));
        const { marginSummary, assetPositions } = await said('clearinghouseState', { user });
        const gains = sumOf(assetPositions, ({ position }) => units(position.unrealizedPnl));
        same(
            'dollars at the venue', units(marginSummary.accountValue) - gains,
            this.given + sumOf(done('deposit'), arrived) - sumOf(done('withdrawal'), ({ amount }) => units(amount) + WITHDRAWAL_GAS)
                + sumOf(fills, ({ closedPnl, fee }) => units(closedPnl) - units(fee)) + paid,
        );
        const moved = sumOf(done('withdrawal'), arrived) - sumOf(done('deposit'), ({ amount }) => units(amount));
        same('units of dollars in the wallet', await balance(CHAIN, this.address, 'USDC'), dollarsOn(CHAIN, 'USDC', DOLLARS) + moved / 100n);
        same('units allowed', await erc20(CHAIN, 'USDC').allowance(this.address, MESSENGER), 0n);
        same('withdrawals at the venue', (await audited('withdrawals')).filter((row) => row.user === user).length, done('withdrawal').length);
        same('deposits at the venue', (await audited('deposits')).filter((row) => row.user === user).length, done('deposit').length);
        return [...wrong, ...await this.#sent(transfers)];
    }

    /** What the wallet has sent is ours, in a row. */
    async #sent(transfers) {
        const stored = await sqlAgain(`SELECT LOWER(HEX(hash)) FROM transactions WHERE execution_id IN (${[0, ...transfers.map(({ id }) => id)].join()})`);
        const hashes = stored.split('\n').filter(Boolean).map((hash) => `0x${hash}`);
        const mined = await Promise.all(hashes.map(async (hash) => (await booksOf(CHAIN).carriedOut(CHAIN, hash) === null ? [] : [hash])));
        return booksOf(CHAIN).sent(CHAIN, this.address, mined.flat());
    }
}
