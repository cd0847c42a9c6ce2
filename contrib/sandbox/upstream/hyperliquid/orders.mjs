// Orders as the venue keeps them. A row:
//   id, oid           the venue's number, as text and as a number
//   user, coin, isBuy, price (the limit), size, left
//   tif               Gtc, Ioc, Alo, FrontendMarket, or null of a trigger
//   reduceOnly, cloid
//   trigger           { isMarket, price, tpsl } while it waits for the mark price; isTriggered once it did
//   isPositionTpsl    whether it is about the whole position
//   waiting           what waits for this one to be filled: orders without a number
//   siblings          numbers of what ends when this one is filled
//   status            as orderStatus says
//   nth               which of its account's orders it is
//   states            [[status, when, left]]: what reads that lag may still see
//   fee, value        paid and traded so far

import { nextOid, nextTime, touch } from './world.mjs';

const groupOf = (map, key) => {
    if (!map.has(key)) map.set(key, new Set());
    return map.get(key);
};

/** The orders that are open, by account and by market; and all of them by the number that their owner gave them. */
export class LiveOrders {
    #users = new Map();
    #markets = new Map();
    #cloids = new Map();
    #made = new Map();

    constructor({ store, byName }) {
        for (const order of store.rows('orders').values()) {
            this.name(order);
            this.#made.set(order.user, Math.max(this.madeBy(order.user), order.nth));
            if (order.status === 'open') this.add(order, byName.get(order.coin));
        }
    }

    name(order) {
        if (order.cloid !== undefined) this.#cloids.set(`${order.user}/${order.cloid}`, order);
    }

    /** How many orders an account has made. */
    madeBy(user) {
        return this.#made.get(user) ?? 0;
    }

    /** The number of its next one. */
    count(user) {
        this.#made.set(user, this.madeBy(user) + 1);
        return this.madeBy(user);
    }

    add(order, market) {
        groupOf(this.#users, order.user).add(order);
        groupOf(this.#markets, order.coin).add(order);
        if (order.trigger === undefined || order.isTriggered) market.book.rest(order);
    }

    delete(order, market) {
        this.#users.get(order.user)?.delete(order);
        this.#markets.get(order.coin)?.delete(order);
        market.book.remove(order);
    }

    ofUser(user) {
        return [...this.#users.get(user) ?? []];
    }

    triggersOf(coin) {
        return [...this.#markets.get(coin) ?? []].filter(({ trigger, isTriggered }) => trigger !== undefined && !isTriggered);
    }

    byCloid(user, cloid) {
        return this.#cloids.get(`${user}/${cloid}`);
    }
}

/** A new order, which is nowhere yet. */
export function makeOrder(world, user, market, wish) {
    const oid = nextOid(world);
    const order = {
        id: String(oid), oid, user, nth: world.live.count(user), coin: market.name, ...wish, left: wish.size, siblings: [], states: [], fee: 0n, value: 0n,
        created: nextTime(world), status: undefined, waiting: wish.waiting ?? [],
    };
    world.store.rows('orders').set(order.id, order);
    world.live.name(order);
    return order;
}

export function setStatus(world, order, status) {
    const at = nextTime(world);
    Object.assign(order, { status, changed: at });
    noteState(world, order, at);
}

/** What is left of it has changed, or its status. */
export function noteState(world, order, at = nextTime(world)) {
    order.states.push([order.status, at, order.left]);
    touch(world, 'orders', order);
}

/** Puts an order among the open ones: into the book, or among what waits for a price. */
export function open(world, order, market) {
    setStatus(world, order, 'open');
    world.live.add(order, market);
}

/** Ends an open order, and what waited for it. */
export function close(world, order, status) {
    world.live.delete(order, world.byName.get(order.coin));
    order.waiting = [];
    setStatus(world, order, status);
}

/** An open order of an account by the venue's number or by the owner's. */
export function openOrder(world, user, market, name) {
    const order = orderOf(world, user, name);
    return order?.status === 'open' && order.coin === market?.name ? order : undefined;
}

export function orderOf(world, user, name) {
    const order = typeof name === 'number' ? world.store.rows('orders').get(String(name)) : world.live.byCloid(user, name.toLowerCase());
    return order?.user === user ? order : undefined;
}

/** An order as it was at a time: { status, changed, left }; undefined when there was none. */
export function stateAt(order, at) {
    const state = at === undefined ? order.states.at(-1) : order.states.findLast(([, when]) => when <= at);
    return state && { status: state[0], changed: state[1], left: state[2] };
}
