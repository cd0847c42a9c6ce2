// Order books: by price, then by time. Prices are ten-thousandths of a dollar and sizes hundredths of a share, whole numbers.

export const PRICE_ONE = 10000;

/** "0.0425" as 425. */
export function priceOf(text) {
    const [whole, places = ''] = text.split('.');
    return Number(whole) * PRICE_ONE + Number(places.padEnd(4, '0'));
}

/** 425 as "0.0425". */
export function priceText(price) {
    return decimal(price, 4);
}

/** 1250 as "12.5". */
export function sizeText(size) {
    return decimal(size, 2);
}

function decimal(units, places) {
    const digits = String(units).padStart(places + 1, '0');
    const rest = digits.slice(-places).replace(/0+$/, '');
    return rest === '' ? digits.slice(0, -places) : `${digits.slice(0, -places)}.${rest}`;
}

/** The orders that rest for one token. */
export class Book {
    #resting = { BUY: [], SELL: [] };

    /** Behind those of the same price. */
    rest(order) {
        const side = this.#resting[order.side];
        const better = order.side === 'BUY' ? (other) => other.price >= order.price : (other) => other.price <= order.price;
        const at = side.findIndex((other) => !better(other));
        side.splice(at === -1 ? side.length : at, 0, order);
    }

    /** [[price, size]] best first. */
    levels(side) {
        const sizes = new Map();
        for (const { price, size } of this.#resting[side]) sizes.set(price, (sizes.get(price) ?? 0) + size);
        return [...sizes];
    }
}
