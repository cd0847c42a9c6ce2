// How much may be asked: of all by their weight in a minute, as if they came from one host, and of an account by what it has
// traded. Ten times what the venue allows, so that tests do not meet it by chance; 0 for no limit.

import { DOLLAR } from './amounts.mjs';
import { Refused } from './authority.mjs';
import { touch } from './world.mjs';

const WEIGHT_A_MINUTE = 1200;
const FIRST_REQUESTS = 10_000;
const CANCELS_MORE = 100_000;
const USUAL_FACTOR = 10;
const MINUTE_MS = 60_000;
const ONE_MORE_MS = 10_000; // beyond the limit, one every so often
const EXPIRED_COST = 5;

const LIGHT = ['l2Book', 'allMids', 'clearinghouseState', 'orderStatus', 'spotClearinghouseState'];
const BY_ROWS = ['userFills', 'userFillsByTime', 'fundingHistory', 'userFunding', 'userNonFundingLedgerUpdates', 'historicalOrders'];

/** What a question weighs, by its type and the rows of its answer. */
export function infoWeight(type, answer) {
    if (LIGHT.includes(type)) return 2;
    if (type === 'userRole') return 60;
    return 20 + (BY_ROWS.includes(type) ? Math.floor(answer.length / 20) : 0);
}

/** How many things an action is about. */
const countOf = ({ orders, cancels, modifies }) => (orders ?? cancels ?? modifies ?? [1]).length;

export const exchangeWeight = (action) => 1 + Math.floor(countOf(action) / 40);

export class Limits {
    #factor = USUAL_FACTOR;
    #own = {};
    #window = { start: 0, used: 0 };

    /** { factor } or { weight, requests } of one's own. */
    set({ factor = USUAL_FACTOR, weight, requests } = {}) {
        this.#factor = factor;
        this.#own = { weight, requests };
        this.#window = { start: 0, used: 0 };
        return { weight: this.weight, requests: this.requests };
    }

    get weight() {
        return this.#own.weight ?? WEIGHT_A_MINUTE * this.#factor;
    }

    get requests() {
        return this.#own.requests ?? FIRST_REQUESTS * this.#factor;
    }

    /** Whether the minute has room for more. */
    hasRoom() {
        const now = Date.now();
        if (now - this.#window.start >= MINUTE_MS) this.#window = { start: now, used: 0 };
        return this.weight === 0 || this.#window.used < this.weight;
    }

    use(weight) {
        this.#window.used += weight;
    }

    /** How many requests an account may have sent; cancels have a limit of their own. */
    capOf(account, isCancel = false) {
        const cap = this.requests + Number(account.traded / DOLLAR);
        return isCancel ? Math.min(cap + CANCELS_MORE, 2 * cap) : cap;
    }

    /** Counts an action of an account, or refuses it. */
    count(world, account, action, isExpired) {
        const many = countOf(action) * (isExpired ? EXPIRED_COST : 1);
        const cap = this.capOf(account, action.type === 'cancel' || action.type === 'cancelByCloid');
        const now = Date.now();
        const isOver = this.requests !== 0 && account.sent + many > cap;
        if (isOver && now - account.lastExtra < ONE_MORE_MS) throw new Refused(this.#refusal(account, cap, many));
        if (isOver) account.lastExtra = now;
        account.sent += many;
        touch(world, 'accounts', account);
    }

    #refusal({ sent, traded }, cap, many) {
        const volume = `${traded / DOLLAR}.${String((traded % DOLLAR) / 10_000n).padStart(2, '0')}`;
        return `Too many cumulative requests sent (${sent + many} > ${cap}) for cumulative volume traded $${volume}. `
            + 'Place taker orders to free up 1 request per USDC traded.';
    }
}
