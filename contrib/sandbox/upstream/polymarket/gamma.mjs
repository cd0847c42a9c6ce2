// Gamma, the catalogue. Lists stand in strings and numbers in strings, as the real one has them.
//
// True to the venue by its answers that nautechsystems/nautilus_trader recorded (event 30829, market 43): what is filed under
// a category has other tags next to it, in any order, and prices of the oldest markets have 34 decimals.

import { ONE, costOf, textOf } from './amounts.mjs';
import { hasEnded, outcomePrices } from './world.mjs';

const LIMIT = 20;
const LIMIT_MAX = 500;
const CREATED = '2025-01-02T03:04:05.678Z';

export function answerGamma(world, { path, query }) {
    const [, list, ...rest] = path.split('/');
    if (list === 'markets' && rest.length === 0) return { json: page(found(world, world.markets, query), query).map((market) => marketJson(world, market)) };
    if (list === 'markets' && rest.length === 1) return one(world.markets.find(({ id }) => id === rest[0]), (market) => marketJson(world, market));
    if (list === 'events' && rest.length === 0) return { json: page(eventsFound(world, query), query).map((event) => eventJson(world, event)) };
    if (list === 'events' && rest.length === 1) return one(world.events.find(({ id }) => id === rest[0]), (event) => eventJson(world, event));
    if (list === 'tags' && rest[0] === 'slug') return one(tags(world).find(({ slug }) => slug === rest[1]), (tag) => tag);
    if (list === 'public-search') return search(world, query);
    return { status: 404, json: { type: 'not found error', error: 'not found' } };
}

function one(item, shape) {
    return item === undefined ? { status: 404, json: { type: 'not found error', error: 'id not found' } } : { json: shape(item) };
}

/** Tags are numbered in the order in which their markets come. */
function tags(world) {
    return [...new Set(world.markets.flatMap(({ category }) => filedUnder(category)))].map((slug, i) => ({ id: String(100 + i), label: slug[0].toUpperCase() + slug.slice(1), slug }));
}

const BESIDE = { politics: [['global-elections', 'elections'], ['primaries']], sports: [['sailing'], []], crypto: [['up-or-down'], ['hide-from-new']] };

function filedUnder(category) {
    const [before, behind] = BESIDE[category] ?? [[], []];
    return [...before, category, ...behind];
}

function tagsOf(world, category) {
    const all = tags(world);
    return filedUnder(category).map((each) => all.find(({ slug }) => slug === each));
}

/** Whether it has the tag that is asked for, by its number or its name. */
function isTagged(world, category, query) {
    const own = tagsOf(world, category);
    return ['id', 'slug'].every((name) => !query.has(`tag_${name}`) || own.some((tag) => tag[name] === query.get(`tag_${name}`)));
}

function found(world, markets, query) {
    const wanted = query.get('closed');
    const conditions = query.getAll('condition_ids');
    return markets.filter((market) => wanted === null || String(hasEnded(market)) === wanted)
        .filter(({ conditionId }) => conditions.length === 0 || conditions.includes(conditionId))
        .filter((market) => isTagged(world, market.category, query));
}

const marketsOf = (world, event) => world.markets.filter((market) => market.event === event.slug);

function eventsFound(world, query) {
    return world.events.filter((event) => found(world, marketsOf(world, event), new URLSearchParams([...query].filter(([name]) => name === 'closed'))).length > 0)
        .filter((event) => isTagged(world, event.category, query));
}

function page(list, query) {
    const offset = Number(query.get('offset') ?? 0);
    return list.slice(offset, offset + Math.min(Number(query.get('limit') ?? LIMIT), LIMIT_MAX));
}

/** By words of the title and of the questions, as events. */
function search(world, query) {
    const words = (query.get('q') ?? '').toLowerCase().split(/\s+/).filter((word) => word !== '');
    const has = (text) => words.every((word) => text.toLowerCase().includes(word));
    const open = query.get('keep_closed_markets') !== '1';
    const alone = world.markets.filter(({ event }) => event === undefined).map((market) => ({ id: `9${market.id}`, slug: market.slug, title: market.question, description: market.question, category: market.category, markets: [market] }));
    const events = [...world.events.map((event) => ({ ...event, markets: marketsOf(world, event) })), ...alone]
        .map((event) => ({ ...event, markets: event.markets.filter((market) => (!open || !hasEnded(market)) && (has(market.question) || has(event.title))) }))
        .filter(({ markets }) => markets.length > 0);
    const size = Number(query.get('limit_per_type') ?? LIMIT);
    const from = (Number(query.get('page') ?? 1) - 1) * size;
    return {
        json: {
            events: events.slice(from, from + size).map((event) => eventJson(world, event, event.markets)),
            tags: [],
            profiles: [null],
            pagination: { hasMore: events.length > from + size, totalResults: events.length },
        },
    };
}

function eventJson(world, event, markets = marketsOf(world, event)) {
    return {
        id: event.id, slug: event.slug, title: event.title, description: event.description, endDate: markets[0]?.endDate,
        volume: Number(textOf(markets.reduce((sum, { volume }) => sum + volume, 0n))), liquidity: markets.reduce((sum, market) => sum + liquidity(market), 0),
        negRisk: markets.some(({ kind }) => kind === 'neg_risk'), closed: markets.every(hasEnded), active: true,
        tags: tagsOf(world, event.category), markets: markets.map((market) => ({ ...marketJson(world, market), tags: undefined })),
    };
}

/** Dollars in the book. */
function liquidity({ book }) {
    const levels = ['BUY', 'SELL'].flatMap((side) => book.levels(0, side));
    return Number(levels.reduce((sum, [price, size]) => sum + costOf(size, price), 0n)) / Number(ONE);
}

function marketJson(world, market) {
    const v3 = market.kind === 'v3';
    const open = market.status === 'open';
    return {
        id: market.id, question: market.question, conditionId: market.conditionId, slug: market.slug, version: v3 ? 'v2' : 'v1',
        description: `Resolves to ${market.outcomes[0]} by the rules of the sandbox.`, endDate: market.endDate, endDateIso: market.endDate.slice(0, 10),
        createdAt: CREATED, category: null, tags: tagsOf(world, market.category),
        volume: textOf(market.volume), volumeNum: Number(textOf(market.volume)), liquidity: liquidity(market).toFixed(4), liquidityNum: liquidity(market),
        outcomes: JSON.stringify(market.outcomes), outcomePrices: JSON.stringify(market.legacyPrices ?? outcomePrices(market)),
        clobTokenIds: v3 ? '[]' : JSON.stringify(market.tokens), positionIds: v3 ? market.tokens : undefined,
        negRisk: market.kind === 'neg_risk', active: true, closed: hasEnded(market), archived: false, acceptingOrders: open, enableOrderBook: true,
        orderMinSize: Number(market.minSize), orderPriceMinTickSize: Number(market.tick), feesEnabled: true,
        lastTradePrice: Number(market.price), umaResolutionStatus: market.status === 'resolved' ? 'resolved' : undefined,
    };
}
