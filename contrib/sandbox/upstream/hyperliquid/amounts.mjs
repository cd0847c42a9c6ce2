// Decimals as whole numbers. A price counts millionths of a dollar, money likewise, a size 10^-szDecimals of its asset: since a
// price has at most 6 - szDecimals places, price × size is money without a rest.

export const PLACES = 6;
export const DOLLAR = 10n ** BigInt(PLACES);
export const RATE_PLACES = 10; // of a funding rate

const DECIMAL = /^(-?)(\d{1,30})(?:\.(\d{1,30}))?$/;

/** "0.0425" with 6 places as 42500n; undefined for what is no decimal, or has more places that are not zero. */
export function unitsOf(text, places = PLACES) {
    const [, sign, whole, behind = ''] = DECIMAL.exec(text) ?? [];
    if (whole === undefined) return undefined;
    const kept = behind.replace(/0+$/, '');
    if (kept.length > places) return undefined;
    const units = BigInt(whole + kept.padEnd(places, '0'));
    return sign === '' ? units : -units;
}

/** 42500n as "0.0425". The venue writes whole numbers with a place: "3.0". */
export function textOf(units, places = PLACES) {
    const [sign, size] = units < 0n ? ['-', -units] : ['', units];
    const digits = String(size).padStart(places + 1, '0');
    const whole = digits.slice(0, digits.length - places);
    return `${sign}${whole}.${digits.slice(digits.length - places).replace(/0+$/, '') || '0'}`;
}

/** A quotient, rounded to the nearest. */
export function rounded(numerator, denominator) {
    if (denominator < 0n) return rounded(-numerator, -denominator);
    const half = numerator < 0n ? -denominator : denominator;
    return (2n * numerator + half) / (2n * denominator);
}

export const abs = (value) => (value < 0n ? -value : value);
export const max = (a, b) => (a > b ? a : b);
export const min = (a, b) => (a < b ? a : b);
export const sumOf = (list, amount) => list.reduce((sum, each) => sum + amount(each), 0n);

// ---------------------------------------------------------------- what the venue takes

/** A decimal as the venue writes it when it computes what was signed: no zeros behind. */
export function canonical(text) {
    if (!/^\d+\.\d+$/.test(text)) return text;
    return text.replace(/\.?0+$/, '');
}

/** Whether a price has at most five significant figures, or is whole, and no more places than its asset leaves it. */
export function isPrice(text, szDecimals) {
    const [, sign, whole, behind = ''] = DECIMAL.exec(text) ?? [];
    if (whole === undefined || sign === '-') return false;
    const places = behind.replace(/0+$/, '');
    if (places === '') return true;
    const figures = (whole + places).replace(/^0+/, '').length;
    return figures <= 5 && places.length <= PLACES - szDecimals;
}

/** The nearest such price that is not above one, or not below it. */
export function roundedPrice(units, szDecimals, up = false) {
    const digits = String(units).length;
    const step = max(10n ** BigInt(szDecimals), 10n ** BigInt(Math.max(0, Math.min(digits - 5, PLACES))));
    const least = (units / step) * step;
    return up && least < units ? least + step : least;
}
