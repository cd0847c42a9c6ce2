// The prediction markets' job, as an agent goes through it: money into its trading wallet, orders that rest, that are filled
// and that are taken back, money out again, events. Afterwards the books of gateway, venue and chain are compared.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Contract, getAddress, parseUnits } from 'ethers';
import { ADDRESSES, KINDS } from '../../contrib/sandbox/polymarket.mjs';
import { MARKETS } from '../../contrib/sandbox/upstream/markets.mjs';
import { granted, show, until } from '../api/lib.mjs';
import {
    balance, fund, give, mine, provider,
} from '../api/chain.mjs';
import { giveShares } from '../api/prediction.mjs';
import { settings } from '../jobs/lib.mjs';
import { PatientAgent } from './agent.mjs';
import { sqlAgain } from './programs.mjs';

export const POLYGON = 'polygon';
const COINS = '10';
const DOLLARS = '1000';
const DEPOSIT = '200';
const WITHDRAWAL = '1.5';
const SIZE = '15';
const WON = '40';
/** Those that are decided, each by another ledger. */
const DECIDED = MARKETS.filter(({ status }) => status === 'resolved');
const AT_ONCE = 8;
const SETTLE_BLOCKS = 8;
const TOKEN = ['function balanceOf(address) view returns (uint256)'];
const SHARES = ['function balanceOf(address, uint256) view returns (uint256)'];
const FINAL_TRANSFER = /^(completed|failed)$/;
const FINAL_ORDER = /^(filled|cancelled|rejected)$/;
const ENDS = { filled: 'order.filled', cancelled: 'order.cancelled', rejected: 'order.rejected' };

/** By the status here, those that fit at the venue, where one that was refused has none. */
const AT_VENUE = {
    pending: [], open: ['LIVE', 'DELAYED'], filled: ['MATCHED'], cancelled: ['CANCELED'], rejected: [undefined],
};

const { SANDBOX_UPSTREAM_PORT } = settings();
const VENUE = `http://127.0.0.1:${SANDBOX_UPSTREAM_PORT}/_sandbox`;

/** By the sandbox's control interface, which may be closed for a moment. */
export function control(method, path, json) {
    return until(`the control to answer ${method} ${path}`, async () => {
        const body = json === undefined ? undefined : JSON.stringify(json);
        const answer = await fetch(VENUE + path, { method, body }).catch(() => null);
        if (answer === null) return null;
        const said = await answer.json();
        assert.equal(answer.status, 200, JSON.stringify(said));
        return said;
    });
}

const units = (amount) => parseUnits(String(amount), 6);
const sumOf = (list) => list.reduce((a, b) => a + b, 0n);

export class PredictionLife extends PatientAgent {
    orders = []; // ids of those that were accepted

    transfers = [];

    static #turn = 0;

    static #funded = [];

    /** One whose money is in its trading wallet. Several are made at once. */
    static async funded() {
        if (this.#funded.length === 0) {
            const lives = Array.from({ length: AT_ONCE }, () => new PredictionLife());
            await Promise.all(lives.map((life) => life.prepare().then(() => life.deposit())));
            this.#funded = lives;
        }
        return this.#funded.pop();
    }

    /** With dollars on the chain, none of them in the trading wallet yet. */
    async prepare() {
        await this.register();
        await fund(POLYGON, this.address, COINS);
        await give(POLYGON, this.address, 'USDC.e', DOLLARS);
        // So deep that no reorganisation takes it back.
        await mine(POLYGON, SETTLE_BLOCKS);
        const { markets } = granted(await this.ask('GET', '/predict/markets?status=open&limit=100'));
        this.markets = Object.keys(KINDS).map((kind) => markets.find(({ exchange }) => exchange === kind));
    }

    // ---------------------------------------------------------------- what the agent does

    /** An Idempotency-Key each: without, an answer that is lost would be asked for by another order. */
    async #transfer(path, json) {
        const { transfer } = granted(await this.ask('POST', `/predict/${path}`, json, randomUUID()));
        this.transfers.push(transfer.id);
        return this.#transferEnded(transfer.id);
    }

    #transferEnded(id) {
        return until(`transfer ${id} to end`, async () => {
            const { transfer } = granted(await this.ask('GET', `/predict/transfer/${id}`));
            return FINAL_TRANSFER.test(transfer.status) && transfer;
        });
    }

    deposit() {
        return this.#transfer('deposit', { amount: DEPOSIT, token: 'USDC.e' });
    }

    withdraw() {
        return this.#transfer('withdraw', { amount: WITHDRAWAL });
    }

    /** Gets shares of both outcomes of a market that is decided, so deep that no reorganisation takes them back. */
    async win() {
        this.decided = DECIDED[PredictionLife.#turn++ % DECIDED.length];
        const { account } = granted(await this.ask('GET', '/predict/account'));
        await giveShares(this.decided, account.tradingAddress, WON);
        await mine(POLYGON, SETTLE_BLOCKS);
    }

    redeem() {
        return this.#transfer('redeem', { market: this.decided.id });
    }

    /** Undefined where what it takes is not at hand yet. */
    async place(order) {
        const answer = await this.ask('POST', '/predict/order', order, randomUUID());
        if (answer.body.error_code === 'INSUFFICIENT_BALANCE') return undefined;
        const { order: placed } = granted(answer);
        this.orders.push(placed.id);
        return placed;
    }

    async cancel(id) {
        const answer = await this.ask('DELETE', `/predict/order/${id}`, undefined, randomUUID());
        assert.ok([200, 202, 409].includes(answer.status), show(answer));
    }

    /** Markets of all kinds in turn: the first outcome of the next one, with its book. */
    async #outcome() {
        const { id, tokens: [{ tokenId }] } = this.markets[PredictionLife.#turn++ % this.markets.length];
        const { outcomes } = granted(await this.ask('GET', `/predict/market/${id}/book`));
        return outcomes.find((outcome) => outcome.tokenId === tokenId);
    }

    #rest({ tokenId, bids }) {
        return this.place({ tokenId, side: 'BUY', price: bids.at(-1).price, size: SIZE, type: 'GTC' });
    }

    #take({ tokenId, asks }) {
        return this.place({ tokenId, side: 'BUY', price: asks.at(-1).price, size: SIZE, type: 'FAK' });
    }

    /** An order that rests and one that is filled, at once. */
    async buy() {
        this.outcome = await this.#outcome();
        [this.resting] = await Promise.all([this.#rest(this.outcome), this.#take(this.outcome)]);
    }

    async takeBack() {
        const { id } = this.resting;
        await this.cancel(id);
        await until(`order ${id} to be final`, async () => FINAL_ORDER.test((await this.#order(id)).status));
    }

    /** What was bought, once it is there. The venue wants the order in another form than the first. */
    async sell() {
        const { tokenId, bids } = this.outcome;
        await until('the shares', async () => await this.#shares(tokenId) >= units(SIZE));
        await control('POST', '', { service: 'polymarket', fault: 'order_version_mismatch', times: 1 });
        const order = { tokenId, side: 'SELL', price: bids.at(-1).price, size: SIZE, type: 'FOK' };
        await until('the venue to see them too', () => this.place(order));
    }

    /** So many orders, with a rest after each: most are filled, the others rest, and half of these are taken back. */
    async execute(count, restMs) {
        for (let i = 0; i < count; i++) {
            if (i % 3 < 2) await this.#take(await this.#outcome());
            else {
                const { id } = await this.#rest(await this.#outcome());
                if (i % 2 === 0) await this.cancel(id);
            }
            await pause(restMs);
        }
    }

    /** From the deposit to the withdrawal, and the redemption of what was won. */
    async trade(count) {
        await this.deposit();
        await this.execute(count, 0);
        await this.withdraw();
        if (this.decided) await this.redeem();
    }

    async #order(id) {
        return granted(await this.ask('GET', `/predict/order/${id}`)).order;
    }

    /** Shares that the chain says the trading wallet has. */
    async #shares(tokenId) {
        const { exchange } = this.markets.find(({ tokens }) => tokens.some((token) => token.tokenId === tokenId));
        const { account } = granted(await this.ask('GET', '/predict/account'));
        return new Contract(KINDS[exchange].ledger, SHARES, provider(POLYGON)).balanceOf(account.tradingAddress, tokenId);
    }

    async #sharesShown(tokenId) {
        const { positions } = granted(await this.ask('GET', '/predict/positions'));
        return units(positions.find(({ asset }) => asset === tokenId)?.size ?? 0);
    }

    // ---------------------------------------------------------------- until it is all over

    /** Until each order is where it stays, and each event delivered. */
    async follow() {
        await until('orders to be placed, and taken back where that was asked for', async () => (
            (await this.all('/predict/', 'orders?status=all')).every(({ status, cancelRequested }) => status !== 'pending' && !cancelRequested)));
        await until('all events to be delivered', async () => (
            await this.total('/webhooks?limit=1') === await this.total('/webhooks?limit=1&status=delivered')));
    }

    /** Until neither the chain nor the venue changes anything any more. */
    async settle() {
        await mine(POLYGON, SETTLE_BLOCKS);
        await sqlAgain(`UPDATE executions SET due_at = UTC_TIMESTAMP(3) WHERE in_flight = 1 AND agent_id = ${await this.row()}`);
        await until('everything to be settled', async () => await sqlAgain(`SELECT
            (SELECT COUNT(*) FROM executions WHERE in_flight = 1 AND agent_id = ${await this.row()})
            + (SELECT COUNT(*) FROM predict_orders WHERE status <> 2 AND final = 0 AND agent_id = ${await this.row()})`) === '0');
        await this.#lookedAt();
        await this.follow();
    }

    /** Until the job has asked for what rests once more: the venue may have taken it back, where money went away again. */
    async #lookedAt() {
        const now = await sqlAgain('SELECT UTC_TIMESTAMP(3)');
        await sqlAgain(`UPDATE predict_accounts SET orders_due_at = '${now}' WHERE orders_due_at IS NOT NULL AND agent_id = ${await this.row()}`);
        await until('a look at what rests', async () => await sqlAgain(`SELECT COUNT(*) FROM predict_accounts
            WHERE agent_id = ${await this.row()} AND (lease_owner IS NOT NULL OR orders_due_at <= '${now}')`) === '0');
    }

    // ---------------------------------------------------------------- the books

    /** What became of it all. `wrong` says where gateway, venue, chain and events disagree. */
    async audit() {
        const [orders, transfers] = [await this.all('/predict/', 'orders?status=all'), await this.all('/predict/', 'transfers')];
        const { account } = granted(await this.ask('GET', '/predict/account'));
        const venue = await this.#atVenue(orders, account.tradingAddress);
        const events = await this.#eventsHeard(orders, transfers);
        const own = await Promise.all(this.orders.map(async (id) => (await this.#order(id)).id)); // another since it was renewed
        const distinct = new Set([...own, ...this.transfers]).size;
        const open = orders.filter(({ status }) => status === 'pending').length + transfers.filter(({ status }) => !FINAL_TRANSFER.test(status)).length;
        const missing = own.filter((id) => !orders.some((order) => order.id === id)).length
            + this.transfers.filter((id) => !transfers.some((transfer) => transfer.id === id)).length;
        return {
            accepted: this.orders.length + this.transfers.length,
            completed: orders.filter(({ status }) => /^(open|filled|cancelled)$/.test(status)).length
                + transfers.filter(({ status }) => status === 'completed').length,
            failed: orders.filter(({ status }) => status === 'rejected').length + transfers.filter(({ status }) => status === 'failed').length,
            transactions: venue.trades,
            duplicates: orders.length + transfers.length - distinct + venue.duplicates,
            lost: open + missing + venue.lost,
            due: events.due,
            delivered: events.delivered,
            wrong: [...venue.wrong, ...events.wrong, ...await this.#totals(orders), ...await this.#money(account, transfers)],
        };
    }

    /** The totals that are kept are what a count says. */
    async #totals(orders) {
        const totals = await Promise.all(Object.keys(AT_VENUE).map(async (status) => [
            status, await this.total(`/predict/orders?limit=1&status=${status}`), orders.filter((order) => order.status === status).length,
        ]));
        return totals.filter(([, kept, counted]) => kept !== counted).map(([status, kept, counted]) => `${kept} orders are said to be ${status}, which ${counted} are`);
    }

    /** Each of ours is known to the venue as it is to us, once, and it has none that we do not know. */
    async #atVenue(orders, trading) {
        const own = ({ maker }) => maker === getAddress(trading);
        const known = new Map((await control('GET', '/audit/taken?service=polymarket')).filter(own).map((row) => [row.order, row]));
        const bodies = new Map((await control('GET', '/audit/orders?service=polymarket')).map((row) => [row.order, row.bodies]));
        const foreign = [...known.keys()].filter((hash) => !orders.some(({ id }) => id === hash));
        const wrong = foreign.map((hash) => `the venue has ${hash}, which is none of our orders`);
        for (const { id, status, filled } of orders) {
            const { status: there, matched = '0' } = known.get(id) ?? {};
            if (!AT_VENUE[status].includes(there)) wrong.push(`order ${id} is ${status} here and ${there} there`);
            if (units(filled) !== units(matched)) wrong.push(`order ${id} is filled by ${filled} here and by ${matched} there`);
            if (bodies.get(id)?.length > 1) wrong.push(`order ${id} came with ${bodies.get(id).length} bodies`);
        }
        return {
            trades: [...known.values()].reduce((n, { trades = 0 }) => n + trades, 0),
            duplicates: foreign.length,
            lost: orders.filter(({ id, status }) => status !== 'rejected' && !known.has(id)).length,
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
            if (told(`predict.transfer.${status}`, id).length < 1) wrong.push(`no event says that transfer ${id} is ${status}`);
        }
        return { due: await this.total('/webhooks?limit=1'), delivered: events.length, wrong };
    }

    /** Every unit of dollars, collateral and shares is accounted for. */
    async #money({ tradingAddress: trading, collateral }, transfers) {
        const moved = (type) => sumOf(transfers.filter((each) => each.type === type && each.status === 'completed').map(({ amount }) => units(amount)));
        const [into, out, paid] = [moved('deposit'), moved('withdrawal'), moved('redemption')];
        const fills = (await sqlAgain(`SELECT o.side, HEX(o.token), SUM(f.size), SUM(f.paid), SUM(f.fee) FROM predict_fills f JOIN predict_orders o USING (execution_id)
            WHERE o.agent_id = ${await this.row()} AND f.state <> 4 GROUP BY o.side, o.token`)).split('\n').filter(Boolean)
            .map((line) => line.split('\t')).map(([side, token, ...amounts]) => [side === '0', BigInt(`0x${token}`), ...amounts.map(BigInt)]);
        const spent = sumOf(fills.map(([isBuy, , , paid, fee]) => (isBuy ? paid + fee : fee - paid)));
        const wrong = [];
        const same = (what, found, expected) => { if (found !== expected) wrong.push(`${found} ${what} instead of ${expected}`); };
        const pusd = await new Contract(ADDRESSES.collateral, TOKEN, provider(POLYGON)).balanceOf(trading);
        same('units of dollars in the wallet', await balance(POLYGON, this.address, 'USDC.e'), units(DOLLARS) - into + out + paid);
        same('units of collateral', pusd, into - out - spent);
        same('units of collateral shown', units(collateral.balance), pusd);
        const shares = new Map();
        for (const [isBuy, token, size] of fills) shares.set(token, (shares.get(token) ?? 0n) + (isBuy ? size : -size));
        same('units that a redemption paid', paid, this.decided ? units(WON) : 0n);
        for (const [token, held] of shares) {
            same(`shares of ${token}`, await this.#shares(String(token)), held);
            same(`shares of ${token} shown`, await this.#sharesShown(String(token)), held);
        }
        return wrong;
    }
}
