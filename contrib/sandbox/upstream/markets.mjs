// The prediction markets of the sandbox: their conditions are on polygon from the start, their books and descriptions are
// the upstream service's. Data only.
//
// A market has two outcomes, Yes and No, unless `outcomes` says otherwise. `kind` is the exchange that trades it: v2,
// neg_risk or v3. `price` is what makers think of the first outcome at the start. `status` is open unless it says
// otherwise; `winner` is the outcome that a resolved market was decided for. Question and condition follow from `slug`.

// What takers pay: shares × rate × price × (1 − price).
export const FEE_RATES = { crypto: '0.07', sports: '0.05', weather: '0.05', politics: '0.04', tech: '0.04' };

// Markets that belong together. In a neg-risk event at most one of them ends with Yes.
export const EVENTS = [
    {
        id: '501',
        slug: 'mayor-of-sandport-2031',
        title: 'Who will be elected mayor of Sandport in 2031?',
        description: 'Resolves to the candidate whom the electoral board of Sandport declares elected.',
        category: 'politics',
    },
    {
        id: '502',
        slug: 'harbour-cup-2031',
        title: 'Harbour Cup 2031',
        description: 'Markets about the regatta and its final.',
        category: 'sports',
    },
    {
        id: '503',
        slug: 'bitcoin-in-2030',
        title: 'Bitcoin in 2030',
        description: 'Resolves by the one-minute candles of BTC/USD of the exchange that is named in the rules.',
        category: 'crypto',
    },
    {
        id: '504',
        slug: 'weather-of-sandport',
        title: 'Weather in Sandport',
        description: 'Resolves by the measurements of the harbour station.',
        category: 'weather',
    },
];

const POLITICS = { event: 'mayor-of-sandport-2031', category: 'politics', kind: 'neg_risk', endDate: '2031-05-04T18:00:00Z' };
const SPORTS = { event: 'harbour-cup-2031', category: 'sports', kind: 'v2', endDate: '2031-08-17T12:00:00Z' };
const CRYPTO = { event: 'bitcoin-in-2030', category: 'crypto', endDate: '2030-12-31T23:59:59Z' };
const WEATHER = { event: 'weather-of-sandport', category: 'weather', endDate: '2030-09-30T22:00:00Z' };

export const MARKETS = [
    { ...POLITICS, id: '9001', slug: 'mayor-of-sandport-2031-adler', question: 'Will Ada Adler be elected mayor of Sandport?', tick: '0.01', minSize: '5', price: '0.42' },
    { ...POLITICS, id: '9002', slug: 'mayor-of-sandport-2031-brandt', question: 'Will Bo Brandt be elected mayor of Sandport?', tick: '0.001', minSize: '5', price: '0.371' },
    { ...POLITICS, id: '9003', slug: 'mayor-of-sandport-2031-castellan', question: 'Will Cleo Castellan be elected mayor of Sandport?', tick: '0.0001', minSize: '5', price: '0.0425' },
    { ...SPORTS, id: '9004', slug: 'harbour-cup-2031-north-pier', question: 'Will North Pier win the Harbour Cup?', tick: '0.01', minSize: '5', price: '0.40' },
    { ...SPORTS, id: '9005', slug: 'harbour-cup-2031-final', question: 'Harbour Cup final: North Pier or South Pier?', outcomes: ['North Pier', 'South Pier'], tick: '0.005', minSize: '5', price: '0.615' },
    { ...SPORTS, id: '9006', slug: 'harbour-cup-2031-record', question: 'Will the course record fall at the Harbour Cup?', tick: '0.0025', minSize: '15', price: '0.1525', status: 'paused' },
    { ...CRYPTO, id: '9007', slug: 'bitcoin-above-250000-in-2030', question: 'Will Bitcoin trade above $250,000 in 2030?', kind: 'v2', tick: '0.1', minSize: '5', price: '0.3' },
    { ...CRYPTO, id: '9008', slug: 'bitcoin-above-500000-in-2030', question: 'Will Bitcoin trade above $500,000 in 2030?', kind: 'v3', tick: '0.01', minSize: '5', price: '0.12' },
    { ...CRYPTO, id: '9009', slug: 'bitcoin-below-50000-in-2030', question: 'Will Bitcoin trade below $50,000 in 2030?', kind: 'v3', tick: '0.001', minSize: '5', price: '0.085' },
    { ...WEATHER, id: '9010', slug: 'sandport-40-degrees-in-2030', question: 'Will it be 40 °C or more in Sandport in the summer of 2030?', kind: 'v2', tick: '0.01', minSize: '5', price: '0.55' },
    { ...WEATHER, id: '9011', slug: 'sandport-snow-in-2025', question: 'Did it snow in Sandport in the winter of 2025?', kind: 'v2', tick: '0.01', minSize: '5', price: '0.97', legacyPrices: ['0.5843311669077693146635445446077281', '0.4156688330922306853364554553922719'], endDate: '2026-03-20T00:00:00Z', status: 'closed' },
    { ...WEATHER, id: '9012', slug: 'sandport-flood-in-2025', question: 'Was there a flood in Sandport in 2025?', kind: 'v2', tick: '0.01', minSize: '5', price: '0.99', endDate: '2025-12-31T23:00:00Z', status: 'resolved', winner: 0 },
    { category: 'tech', id: '9013', slug: 'harbour-ferry-without-crew', question: 'Will a ferry without a crew cross the harbour by the end of 2030?', kind: 'v3', tick: '0.005', minSize: '5', price: '0.705', endDate: '2030-12-31T23:59:59Z' },
    { category: 'tech', id: '9014', slug: 'harbour-lights-by-wave-power', question: 'Did the harbour lights run on wave power in 2025?', kind: 'v3', tick: '0.01', minSize: '5', price: '0.01', endDate: '2025-12-31T23:59:59Z', status: 'resolved', winner: 1 },
];
