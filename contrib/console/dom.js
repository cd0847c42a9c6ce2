// Builds elements. Text of others - names, addresses, answers - becomes text nodes, never markup: nothing here reads HTML.

const SVG = 'http://www.w3.org/2000/svg';

/** el('p.note#id', { href, onclick, 'aria-label' }, child...): children are nodes, texts, or nothing. */
export const el = (selector, ...rest) => build((tag) => document.createElement(tag), selector, rest);

/** The same for drawings. */
export const svg = (selector, ...rest) => build((tag) => document.createElementNS(SVG, tag), selector, rest);

function build(create, selector, rest) {
    const [tag] = /^[a-z0-9]+/i.exec(selector);
    const node = create(tag);
    const classes = [...selector.matchAll(/\.([\w-]+)/g)].map(([, name]) => name);
    const [, id] = /#([\w-]+)/.exec(selector) ?? [];
    if (classes.length > 0) node.setAttribute('class', classes.join(' '));
    if (id !== undefined) node.id = id;
    const [first, ...others] = rest;
    const plain = isAttributes(first);
    if (plain) for (const [name, value] of Object.entries(first)) setAttribute(node, name, value);
    node.append(...(plain ? others : rest).flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false));
    return node;
}

const isAttributes = (value) => Object(value) === value && !(value instanceof Node) && !Array.isArray(value);

function setAttribute(node, name, value) {
    if (value === undefined || value === null || value === false) return;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? '' : value);
}

/** Puts these in place of what a node has. */
export function fill(node, ...children) {
    node.replaceChildren(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false));
    return node;
}
