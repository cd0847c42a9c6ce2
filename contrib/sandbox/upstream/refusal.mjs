// A request that is answered with an error: status and text are the venue's, `why` is for the audit.

export class Refusal extends Error {
    constructor(status, text, why = text) {
        super(text);
        Object.assign(this, { status, why });
    }

    get answer() {
        return { status: this.status, json: { error: this.message }, refused: this.why };
    }
}
