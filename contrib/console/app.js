// The console: pages in one document, so that a key that is typed into one serves the others and stays in this tab's memory.
// A page is a row of PAGES: `show(rest, go)` gives its nodes, `rest` being what follows its name in the address.

import { service } from './api.js';
import { el, fill } from './dom.js';
import { showFirstSwap } from './first-swap.js';
import { showOperator } from './operator.js';
import { showOwner } from './owner.js';
import { showReference } from './reference.js';
import { announce, failure } from './ui.js';

const PAGES = [
    { path: 'first-swap', title: 'First swap', show: showFirstSwap },
    { path: 'reference', title: 'API reference', show: showReference },
    { path: 'owner', title: 'Owner', show: showOwner },
    { path: 'operator', title: 'Operator', show: showOperator },
];

const main = document.getElementById('main');
let leave = () => {}; // what the page on show does when it is left

function where() {
    const [, path = '', ...rest] = location.hash.split('/').map(decodeURIComponent);
    return { page: PAGES.find((each) => each.path === path) ?? PAGES[0], rest };
}

function showNav(current) {
    fill(document.getElementById('pages'), PAGES.map((page) => el('li', el('a', { href: `#/${page.path}`, 'aria-current': page === current && 'page' }, page.title))));
}

function show() {
    const { page, rest } = where();
    leave();
    leave = () => {};
    showNav(page);
    document.title = `${page.title} · Agent DeFi Gateway`;
    try {
        fill(main, page.show(rest, { leaving: (work) => { leave = work; }, again: show }));
    } catch (error) {
        fill(main, failure(error, show));
    }
}

/** By a link: what was read before is gone, and reading begins at the top. */
function follow() {
    show();
    window.scrollTo(0, 0);
    main.focus({ preventScroll: true });
    announce(document.title);
}

async function showVersion() {
    const { name, version } = await service();
    fill(document.getElementById('version'), `${name} ${version}`);
}

document.getElementById('skip').addEventListener('click', (event) => {
    event.preventDefault();
    main.focus();
});
window.addEventListener('hashchange', follow);
show();
showVersion().catch(() => {});
