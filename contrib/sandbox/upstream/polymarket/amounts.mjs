// Prices and sizes are whole numbers of millionths, of a dollar or of a share, as the contracts count them.

const PLACES = 6;
export const ONE = 10n ** BigInt(PLACES);

/** "0.0425" as 42500n. */
export function unitsOf(text) {
    const [whole, places = ''] = text.split('.');
    return BigInt(whole) * ONE + BigInt(places.padEnd(PLACES, '0'));
}

/** 42500n as "0.0425". */
export function textOf(units) {
    const digits = String(units).padStart(PLACES + 1, '0');
    const rest = digits.slice(-PLACES).replace(/0+$/, '');
    return rest === '' ? digits.slice(0, -PLACES) : `${digits.slice(0, -PLACES)}.${rest}`;
}

/** What so many shares cost at a price, rounded down. */
export const costOf = (size, price) => (size * price) / ONE;
