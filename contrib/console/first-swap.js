// First swap: from nothing to a swap that is completed, by buttons, each call shown as it is made.

import {
    ask, askSandbox, query, sandbox, session,
} from './api.js';
import { el, fill } from './dom.js';
import { eventsOf, isOver } from './swap-view.js';
import {
    action, announce, badge, code, confirmed, dollars, empty, facts, field, hash, pretty, run, secret, table, time, timeline,
} from './ui.js';
import { canVerify, isSigned } from './verify.js';

const QUOTE_S = 60;
const LOOK_MS = 1000;
const LOOKS_MAX = 180;
const CHAIN = 'ethereum';

/** What has been reached, kept while other pages are looked at. */
const state = {};

const STEPS = [
    { name: 'register', title: 'Register', about: 'One call gives an agent its key. It is shown once; this tab keeps it in memory until it is closed.', show: showRegister },
    { name: 'wallet', title: 'Create a wallet', about: 'Its private key is sealed where only the signer can open it. You get an address.', show: showWallet },
    { name: 'fund', title: 'Fund it', about: 'What is traded, and some of the chain’s coin for fees.', show: showFund },
    { name: 'quote', title: 'Ask for a price', about: 'All sources are asked at once. The best offer, net of gas and fees, is yours for a minute.', show: showQuote },
    { name: 'swap', title: 'Take it', about: 'It is tried on the chain, signed, stored, and then sent: exactly once, also when a process dies meanwhile.', show: showSwap },
    { name: 'webhook', title: 'Hear of it', about: 'Your server is told by a signed webhook. The signature proves who sent it.', show: showWebhook },
];

export function showFirstSwap(rest, { leaving, again }) {
    const list = el('ol.steps'), end = el('div');
    const timers = new Set();
    leaving(() => timers.forEach(clearInterval));
    const context = {
        every: (ms, work) => {
            const timer = setInterval(() => { if (work() === false) stop(timer); }, ms);
            timers.add(timer);
        },
        reached: (name, values) => {
            Object.assign(state, values);
            redraw();
            list.querySelector(`[data-step="${name}"]`)?.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
        },
    };
    const stop = (timer) => {
        clearInterval(timer);
        timers.delete(timer);
    };
    const redraw = () => {
        timers.forEach(stop);
        fill(list, STEPS.map((step, i) => card(step, i, context)));
        fill(end, state.key && el('button.plain', { type: 'button', onclick: () => startOver(again) }, 'Start over'));
    };
    redraw();
    return [
        el('div.intro', el('h1', 'First swap'), el('p.lead', 'From no account to a finished trade, in five clicks. Every click is one call of the API, and shows what was asked and answered.'), el('div#place')),
        list,
        end,
        whereabouts(),
    ];
}

async function startOver(again) {
    const sure = await confirmed({ title: 'Start over?', text: 'This tab forgets the key. The agent and its wallet stay with the service; without the key they cannot be reached.', button: 'Forget the key' });
    if (!sure) return;
    for (const name of Object.keys(state)) delete state[name];
    session.key = undefined;
    again();
}

/** Says whether money is real here. */
function whereabouts() {
    sandbox().then((there) => {
        const place = document.getElementById('place');
        if (place === null) return;
        fill(place, there ? el('p.note.good', el('strong', 'Sandbox. '), 'Chains of this machine’s own: coins are free and nothing is worth anything.')
            : el('p.note.warn', el('strong', 'Real chains. '), 'What you send and swap here is real money.'));
    });
    return undefined;
}

function card(step, i, context) {
    const done = isDone(step.name), open = !done && STEPS.slice(0, i).every(({ name }) => isDone(name));
    const body = el('div.body');
    const node = el(`li.step.${done ? 'done' : open ? 'open' : 'later'}`, { 'data-step': step.name, 'aria-current': open && 'step' },
        el('h2', el('span.number', { 'aria-hidden': 'true' }, done ? '✓' : String(i + 1)), step.title, done && el('span.unseen', ', done')),
        el('p.muted', step.about), body);
    if (done || open) fill(body, step.show(context));
    return node;
}

const REACHED = {
    register: () => state.key,
    wallet: () => state.wallet,
    fund: () => state.balances,
    quote: () => state.swap,
    swap: () => state.swap && isOver(state.swap),
    webhook: () => state.told,
};

const isDone = (name) => Boolean(REACHED[name]());

/** The call of a step, for those who want to see it. */
const call = (method, path, asked, answered) => el('details.call', el('summary', el('code', `${method} ${path}`)),
    asked && code(pretty(asked), 'Request'), answered && code(pretty(answered), 'Answer'));

// ---------------------------------------------------------------- the steps

function showRegister({ reached }) {
    if (state.key) {
        return [
            secret('API key', state.key),
            state.secret && secret('Webhook secret', state.secret),
            call('POST', '/register', state.registration, { ...state.registered, agent: { ...state.registered.agent, api_key: '…' }, webhook_secret: undefined }),
        ];
    }
    const place = el('div');
    const name = field('Name of the agent', { value: 'my-first-agent', maxlength: 100 });
    const receiver = el('div');
    sandbox().then((there) => { if (!there) fill(receiver, callback.node); });
    const callback = field('Callback URL', { type: 'url', placeholder: 'https://', hint: 'Optional: where webhooks go. Without one, this page shows what the API says of the swap.' });
    return [name.node, receiver, place, el('div.row', action('Register', async () => {
        const own = await sandbox() ? await askSandbox('POST', '/callbacks', { json: {} }) : undefined;
        const url = own?.url ?? (callback.input.value.trim() || undefined);
        const registration = { name: name.input.value, callback_url: url };
        const registered = await ask('POST', '/register', { json: registration });
        session.key = registered.agent.api_key;
        announce('Registered');
        reached('wallet', { key: session.key, secret: registered.webhook_secret, receiver: own?.path, callback: url, registration, registered });
    }, { place, primary: true }))];
}

function showWallet({ reached }) {
    if (state.wallet) return [facts([['Address', hash(state.wallet.address)], ['Chains', state.wallet.supported_chains.join(', ')]]), call('POST', '/wallets', undefined, state.wallet)];
    const place = el('div');
    return [place, el('div.row', action('Create wallet', async () => {
        const { wallet } = await ask('POST', '/wallets', { json: {} });
        announce('Wallet created');
        reached('fund', { wallet });
    }, { place, primary: true }))];
}

function showFund({ reached }) {
    const place = el('div'), controls = el('div.row');
    const look = async () => {
        const { balances } = await ask('GET', query('/portfolio', { wallet_address: state.wallet.address, chain: CHAIN }));
        const held = balances.filter(({ balance }) => balance !== '0');
        if (held.length === 0) fill(place, empty('Nothing has arrived yet', 'A transfer takes as long as the chain does. Look again in a minute.'));
        else reached('quote', { balances: held });
    };
    if (state.balances) return balancesOf(state.balances);
    sandbox().then((there) => fill(controls, there ? action('Fund', async () => {
        await askSandbox('POST', '/fund', { json: { address: state.wallet.address, chain: CHAIN } });
        await look();
    }, { place, primary: true }) : action('Look for funds', look, { place, primary: true })));
    sandbox().then((there) => {
        if (!there) controls.before(el('p', 'Send what you want to trade, and some ETH for fees, on ', el('strong', CHAIN), ' to ', hash(state.wallet.address), '. Begin with little.'));
    });
    return [controls, place];
}

const balancesOf = (balances) => table('Balances', [
    { title: 'Token', of: ({ symbol }) => symbol },
    { title: 'Balance', of: ({ balance }) => balance, end: true },
    { title: 'Worth', of: ({ usd_value: usd }) => (usd ? dollars(usd) : '–'), end: true },
], balances);

function showQuote(context) {
    if (state.swap) return quoteFacts(state.quote);
    const place = el('div'), offer = el('div');
    const from = field('Give', { value: 'ETH' }), to = field('Get', { value: 'USDC' }), amount = field('Amount', { value: '0.5', inputmode: 'decimal' });
    const again = () => run(button, async () => {
        const asked = { from_token: from.input.value, to_token: to.input.value, amount: amount.input.value, chain: CHAIN, wallet_address: state.wallet.address };
        const quote = await ask('POST', '/quote', { json: asked });
        state.quote = quote;
        fill(offer, showOffer(quote, asked, context));
        announce(`${quote.amount_out} ${quote.to_token.symbol} for ${quote.amount_in} ${quote.from_token.symbol}`);
    }, place);
    const button = el('button.primary', { type: 'button', onclick: again }, 'Get a quote');
    return [el('div.fields', amount.node, from.node, to.node), place, el('div.row', button), offer];
}

const quoteFacts = (quote) => facts([
    ['You give', `${quote.amount_in} ${quote.from_token.symbol}`],
    ['You get', el('strong', `${quote.amount_out} ${quote.to_token.symbol}`)],
    ['At least', `${quote.amount_out_min} ${quote.to_token.symbol}`],
    ['By', quote.route ?? quote.dex],
    ['Gas', quote.estimated_gas_usd && `$${quote.estimated_gas_usd}`],
]);

function showOffer(quote, asked, context) {
    const place = el('div'), clock = el('span.countdown'), bar = el('progress', { max: QUOTE_S, value: QUOTE_S, 'aria-label': 'Seconds that the quote is still good for' });
    const ends = Date.now() + quote.expires_in_seconds * 1000;
    const execute = action('Execute', async () => {
        const accepted = await ask('POST', '/swap/execute', { json: { quote_id: quote.quote_id } });
        announce('Accepted');
        context.reached('swap', { accepted, swap: { ...accepted, from_amount: quote.amount_in, from_token: quote.from_token.symbol, to_token: quote.to_token.symbol, from_chain: CHAIN, to_chain: CHAIN, seen: [] } });
    }, { place, primary: true });
    const tick = () => {
        const left = Math.max(0, Math.ceil((ends - Date.now()) / 1000));
        bar.value = left;
        clock.textContent = left > 0 ? `Good for ${left} s` : 'Expired. Get a quote again.';
        execute.disabled = left === 0;
        return left > 0;
    };
    tick();
    context.every(LOOK_MS / 2, () => execute.isConnected && tick());
    return [
        el('div.offer', quoteFacts(quote), el('div.clock', bar, clock),
            (quote.warnings ?? []).map((warning) => el('p.note.warn', warning)),
            quote.routes?.length > 1 && routesOf(quote.routes), place, el('div.row', execute)),
        call('POST', '/quote', asked, quote),
    ];
}

const routesOf = (routes) => el('details', el('summary', `${routes.length} sources answered`), table('Sources', [
    { title: 'Source', of: ({ dex, provider, selected }) => [dex ?? provider, selected && [' ', badge('chosen')]] },
    { title: 'Net of costs', of: ({ net_out: net, reason }) => net ?? el('span.muted', reason ?? 'no offer'), end: true },
], routes));

function showSwap({ every, reached }) {
    const place = el('div'), chart = el('div');
    const draw = (swap) => fill(chart, timeline(eventsOf(swap)));
    draw(state.swap);
    const shown = () => (isOver(state.swap) ? [call('GET', `/swap/status/${state.swap.swap_id}`, undefined, state.swap)] : []);
    if (isOver(state.swap)) return [chart, ...shown()];
    let looks = 0, under = false;
    every(LOOK_MS, () => {
        if (under) return true;
        if (++looks > LOOKS_MAX) {
            fill(place, empty('Still under way', 'Cross-chain swaps take minutes. The Owner page goes on showing it.'));
            return false;
        }
        under = true;
        ask('GET', `/swap/status/${state.swap.swap_id}`).then((swap) => {
            if (isOver(swap)) {
                announce(`The swap is ${swap.status}`);
                reached('webhook', { swap });
            } else {
                state.swap = swap;
                draw(swap);
            }
        }, () => {}).finally(() => { under = false; });
        return true;
    });
    return [chart, place];
}

function showWebhook({ every }) {
    const place = el('div', el('p.muted', { role: 'status' }, 'Waiting for the delivery …'));
    if (!state.callback) return [empty('No receiver', 'This agent has no callback URL. PATCH /me sets one, and brings the secret that its webhooks are signed with.')];
    let under = false;
    const look = () => {
        if (under) return true;
        under = true;
        (state.receiver ? received() : told()).then((node) => {
            if (node === undefined) return;
            state.told = true;
            fill(place, node);
            finish(place.closest('.step'));
        }, () => {}).finally(() => { under = false; });
        return state.told !== true;
    };
    look();
    every(LOOK_MS, look);
    return place;
}

/** The last step has no next one that would draw it anew. */
function finish(step) {
    step?.classList.replace('open', 'done');
    step?.querySelector('.number').replaceChildren('✓');
}

/** What came to the sandbox's receiver, with its signature checked here. */
async function received() {
    const { deliveries } = await askSandbox('GET', `/callbacks/${state.receiver.split('/').at(-1)}`);
    const delivery = deliveries.find(({ body }) => JSON.parse(body).data?.swap_id === state.swap.swap_id);
    if (delivery === undefined) return undefined;
    const { headers, body } = delivery;
    const word = !canVerify() ? undefined : await isSigned(state.secret, headers, body) ? 'verified' : 'not verified';
    if (word) announce(`The signature is ${word}`);
    return [
        facts([
            ['Signature', word ? badge(word) : 'can be checked where this page comes by https'],
            ['Event', JSON.parse(body).type],
            ['Received', time(delivery.received_at)],
        ]),
        el('details.call', el('summary', 'Headers and body, as they came'), code(`${Object.entries(headers).map(([name, value]) => `${name}: ${value}`).join('\n')}\n\n${pretty(JSON.parse(body))}`, 'Webhook')),
        el('p.note', 'That is all. The ', el('a', { href: '#/owner' }, 'Owner'), ' page shows what this agent has done, the ', el('a', { href: '#/reference' }, 'API reference'), ' all that it can do.'),
    ];
}

/** Elsewhere the API says how the delivery went. */
async function told() {
    const { events } = await ask('GET', query('/webhooks', { limit: 20 }));
    const event = events.find(({ event_type: type }) => type.startsWith('swap.'));
    if (event === undefined || event.status === 'pending') return undefined;
    return facts([['Event', event.event_type], ['Sent to', event.callback_url], ['Delivery', badge(event.status)], ['Attempts', String(event.attempts)], ['Error', event.last_error]]);
}
