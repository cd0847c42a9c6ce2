// What the operator's pages share: the token, which is in this tab's memory alone, and the dialog that asks why.

import { client } from './api.js';
import { el } from './dom.js';
import {
    announce, field, form, run,
} from './ui.js';

export const held = { token: undefined, name: undefined, readOnly: false };

export const askOperator = client('v1/operator', () => held.token);

/** Asks for the reason of an act; with `word`, that has to be typed, too. Resolves to the reason, or to undefined. */
function reasonFor({ title, text, word, button, danger }) {
    return new Promise((resolve) => {
        const reason = field('Reason', { required: true, maxlength: 200, hint: 'It is written to the audit log, with your token’s name.' });
        const typed = word && field(`Type ${word} to confirm`, { required: true });
        const go = el(danger ? 'button.primary.danger' : 'button.primary', { type: 'submit', disabled: true }, button);
        const dialog = el('dialog', { 'aria-labelledby': 'order-title' }, form(() => { if (!go.disabled) dialog.close('yes'); },
            el('h2#order-title', title), el('p', text), reason.node, typed?.node,
            el('div.row.end', el('button.plain', { type: 'button', onclick: () => dialog.close() }, 'Cancel'), go)));
        const look = () => { go.disabled = reason.input.value.trim() === '' || (typed !== undefined && typed.input.value.trim() !== word); };
        dialog.addEventListener('input', look);
        dialog.addEventListener('close', () => {
            dialog.remove();
            resolve(dialog.returnValue === 'yes' ? reason.input.value.trim() : undefined);
        });
        document.body.append(dialog);
        dialog.showModal();
    });
}

/** A button for an act: asks why, gives the order, then calls `done` with the answer. */
export function order(name, path, {
    place, ask, json = {}, done, primary = false, said,
}) {
    const press = async () => {
        const reason = await reasonFor({ button: name, ...ask });
        if (reason === undefined) return;
        await run(button, async () => {
            const answer = await askOperator('POST', path, { json: { ...(typeof json === 'function' ? json() : json), reason } });
            announce(said ?? 'Done');
            done(answer);
        }, place);
    };
    const button = el(primary ? 'button.primary' : 'button.plain', { type: 'button', onclick: press, disabled: held.readOnly, title: held.readOnly && 'The token is read-only' }, name);
    return button;
}

export const agentLink = (id, name) => (id ? el('a', { href: `#/operator/agents/${id}` }, name ?? `${id.slice(0, 8)}…`) : el('span.muted', 'deleted'));
