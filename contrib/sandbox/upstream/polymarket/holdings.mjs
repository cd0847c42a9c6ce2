// What wallets have and have allowed, as the venue knows it: it looks at the chain when it is told to, and after its own
// settlements. Of a wallet that it never looked at it knows nothing.

import { KINDS } from '../../polymarket.mjs';
import { Refusal } from '../refusal.mjs';
import { EOA, POLY_1271 } from './signatures.mjs';

const ALL = 2n ** 256n - 1n;
export const COLLATERAL = 'collateral';

/** { balance, allowances by spender } of the collateral or of a token, as of the last look. */
export function holdingOf(world, wallet, asset) {
    return world.store.rows('holdings').get(`${wallet}/${asset}`) ?? { balance: 0n, allowances: {} };
}

/** Looks at the chain. */
export async function look(world, wallet, asset) {
    const seen = asset === COLLATERAL ? await collateralOf(world, wallet) : await sharesOf(world, wallet, asset);
    const holding = { id: `${wallet}/${asset}`, ...seen };
    world.store.keep({ holdings: [holding] });
    return holding;
}

async function collateralOf({ polygon: { collateral } }, wallet) {
    const spenders = Object.values(KINDS).map(({ exchange }) => exchange);
    const [balance, ...allowed] = await Promise.all([collateral.balanceOf(wallet), ...spenders.map((spender) => collateral.allowance(wallet, spender))]);
    return { balance, allowances: Object.fromEntries(spenders.map((spender, i) => [spender, allowed[i]])) };
}

async function sharesOf(world, wallet, token) {
    const { kind } = world.tokens.get(token).market;
    const { exchange } = KINDS[kind];
    const ledger = world.polygon.ledger(kind);
    const [balance, isAllowed] = await Promise.all([ledger.balanceOf(wallet, token), ledger.isApprovedForAll(wallet, exchange)]);
    return { balance, allowances: { [exchange]: isAllowed ? ALL : 0n } };
}

// ---------------------------------------------------------------- what is asked

export async function balanceAllowance(world, { query }, credentials) {
    const [wallet, asset] = await asked(world, query, credentials);
    return shown(holdingOf(world, wallet, asset));
}

export async function updateBalanceAllowance(world, { query }, credentials) {
    const [wallet, asset] = await asked(world, query, credentials);
    return shown(await look(world, wallet, asset));
}

function shown({ balance, allowances }) {
    const texts = Object.entries(allowances).map(([spender, amount]) => [spender, String(amount)]);
    return { json: { balance: String(balance), allowances: Object.fromEntries(texts) } };
}

async function asked(world, query, { address }) {
    const type = query.get('asset_type');
    if (!['COLLATERAL', 'CONDITIONAL', 'CONDITIONAL-V2'].includes(type)) throw new Refusal(400, 'Invalid asset type');
    const wallet = await tradingWallet(world, address, query.get('signature_type') ?? String(EOA));
    if (type === 'COLLATERAL') return [wallet, COLLATERAL];
    const token = query.get('token_id');
    const known = world.tokens.get(token);
    if (known === undefined) throw new Refusal(400, 'Invalid token id');
    if ((known.market.kind === 'v3') !== (type === 'CONDITIONAL-V2')) throw new Refusal(400, 'Invalid asset type', `${type} of a ${known.market.kind} market`);
    return [wallet, token];
}

async function tradingWallet(world, owner, signatureType) {
    if (signatureType === String(EOA)) return owner;
    if (signatureType !== String(POLY_1271)) throw new Refusal(400, 'Invalid signature type');
    const { factory } = world.polygon;
    const [wallet, older] = await Promise.all([factory.walletOf(owner), factory.uupsWalletOf(owner)]);
    const isOlder = !await world.polygon.isContract(wallet) && await world.polygon.isContract(older);
    return isOlder ? older : wallet;
}
