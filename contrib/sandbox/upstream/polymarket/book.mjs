// The order book of a market: by price, then by time. It is the first outcome's: to buy the second outcome at 0.60 is to
// sell the first at 0.40, since a share of each makes a dollar. So purchases of both outcomes meet (their money makes
// new shares), and sales of both (their shares are turned into money).

import { ONE } from './amounts.mjs';

/** The side and the price of an order in the book of its market. */
export function placeOf({ outcome, side, price }) {
    if (outcome === 0) return { side, price };
    return { side: opposite(side), price: ONE - price };
}

export const opposite = (side) => (side === 'BUY' ? 'SELL' : 'BUY');

/** What is left of an order. */
export const remaining = ({ size, matched }) => size - matched;

export class Book {
    #resting = { BUY: [], SELL: [] };

    /** Behind those of the same price that came before. */
    rest(order) {
        const { side, price } = placeOf(order);
        const list = this.#resting[side];
        const isBehind = (other) => {
            const its = placeOf(other).price;
            if (its !== price) return side === 'BUY' ? its < price : its > price;
            return other.sequence > order.sequence;
        };
        let [from, to] = [0, list.length];
        while (from < to) {
            const middle = (from + to) >> 1;
            if (isBehind(list[middle])) to = middle;
            else from = middle + 1;
        }
        list.splice(from, 0, order);
    }

    remove(order) {
        const list = this.#resting[placeOf(order).side];
        const at = list.indexOf(order);
        if (at !== -1) list.splice(at, 1);
    }

    /** The orders that one would meet, best first. */
    against(order) {
        const { side, price } = placeOf(order);
        const meets = side === 'BUY' ? (other) => placeOf(other).price <= price : (other) => placeOf(other).price >= price;
        return this.#resting[opposite(side)].filter(meets);
    }

    /** [[price, size]] of an outcome, best first. */
    levels(outcome, side) {
        const sizes = new Map();
        for (const order of this.#resting[outcome === 0 ? side : opposite(side)]) {
            const { price } = placeOf(order);
            const its = outcome === 0 ? price : ONE - price;
            sizes.set(its, (sizes.get(its) ?? 0n) + remaining(order));
        }
        return [...sizes];
    }
}
