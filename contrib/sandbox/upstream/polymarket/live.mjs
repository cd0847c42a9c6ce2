// The orders that hold money or shares. There may be thousands, and each new order asks for those of its maker.

/** The groups that an order is in: its owner's, its maker's, and that of those whose time ends. */
const groupsOf = ({ owner, order: { maker }, expiration }) => (
    [`owner ${owner}`, `maker ${maker}`, ...(expiration === 0 ? [] : ['expires'])]);

export class LiveOrders {
    #all = new Set();
    #groups = new Map();

    add(order) {
        this.#all.add(order);
        for (const group of groupsOf(order)) {
            if (!this.#groups.has(group)) this.#groups.set(group, new Set());
            this.#groups.get(group).add(order);
        }
    }

    delete(order) {
        this.#all.delete(order);
        for (const group of groupsOf(order)) {
            const members = this.#groups.get(group);
            members?.delete(order);
            if (members?.size === 0) this.#groups.delete(group);
        }
    }

    has(order) {
        return this.#all.has(order);
    }

    [Symbol.iterator]() {
        return this.#all.values();
    }

    ofOwner(owner) {
        return this.#of(`owner ${owner}`);
    }

    ofMaker(maker) {
        return this.#of(`maker ${maker}`);
    }

    expiring() {
        return this.#of('expires');
    }

    #of(group) {
        return [...this.#groups.get(group) ?? []];
    }
}
