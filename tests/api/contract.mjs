// Holds answers against the service's own description: status, shape and message must be among those that the OpenAPI
// document has for the operation. Shapes are closed here, so that an undeclared member is found too.

import assert from 'node:assert/strict';
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** Where the documents lie, whose paths they describe. */
export const PREFIX = '/v1/agent';
export const OPERATORS = '/v1/operator';

export class Contract {
    constructor(document, prefix = PREFIX) {
        this.document = document;
        this.prefix = prefix;
        // The meta-schema, and optimising what is called a few times, took half of this: `checkSchemas` asks the first, once.
        this.ajv = new Ajv({ strict: true, allErrors: true, allowUnionTypes: true, validateSchema: false, code: { optimize: false } });
        addFormats(this.ajv);
        this.schemas = closed(document.components.schemas);
        this.ajv.addSchema({ $id: 'api', components: { schemas: this.schemas } });
        this.ajv.addVocabulary(['components', 'example', 'x-compact']);
        this.validators = new Map();
        this.paths = Object.keys(document.paths).map((path) => ({
            item: document.paths[path],
            pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
        }));
    }

    /** Fails when one of the document's schemas is not what JSON Schema allows. */
    checkSchemas() {
        for (const [name, schema] of Object.entries(this.schemas)) {
            assert.ok(this.ajv.validateSchema(schema), `${name}: ${this.ajv.errorsText(this.ajv.errors)}`);
        }
    }

    /** The operation that a request reaches; undefined where the document has none. */
    operation(method, path) {
        const inside = path.split('?')[0].slice(this.prefix.length);
        if (!path.startsWith(`${this.prefix}/`) || !decodable(path)) return undefined;
        const found = this.document.paths[inside] ?? this.paths.find(({ pattern }) => pattern.test(inside))?.item;
        return found?.[(method === 'HEAD' ? 'get' : method).toLowerCase()];
    }

    /** A response of the document, whether it stands there or among the components. */
    response(operation, status) {
        const response = operation.responses[status];
        return response?.$ref === undefined ? response : this.document.components.responses[response.$ref.split('/').pop()];
    }

    validate(schema, value, what) {
        const key = schema.$ref ?? schema; // objects of the document
        if (!this.validators.has(key)) this.validators.set(key, this.ajv.compile(rebased(schema)));
        const valid = this.validators.get(key);
        assert.ok(valid(value), `${what}: ${this.ajv.errorsText(valid.errors)} in ${JSON.stringify(value).slice(0, 600)}`);
    }

    /** Fails when the answer of a request is not as described. */
    check(method, path, { status, headers, text, body }) {
        const operation = this.operation(method, path);
        const what = `${method} ${path.slice(0, 200)} → ${status}`;
        if (method === 'OPTIONS' || method === 'HEAD' || status === 304) return;
        if (operation === undefined) {
            // Paths that are no text may be refused by the web server.
            if (status >= 400 && path.startsWith(this.prefix) && decodable(path)) this.validate({ $ref: '#/components/schemas/Error' }, body, what);
            return;
        }
        const response = this.response(operation, status);
        assert.ok(response, `${what} is not in the description: ${text.slice(0, 300)}`);
        const content = response.content?.['application/json'];
        if (content === undefined) {
            assert.equal(text, '', `${what} has a body`);
            return;
        }
        assert.match(headers['content-type'], /^application\/json\b/, what);
        this.validate(content.schema, body, what);
        if (status >= 400) checkMessage(content.examples, body, what);
        for (const [name, { required }] of Object.entries(response.headers ?? {})) {
            assert.ok(!required || headers[name.toLowerCase()] !== undefined, `${what} has no ${name}`);
        }
    }

    /** Fails when the body of an event is not as described. */
    checkEvent(event) {
        const operation = this.document.webhooks[event.type];
        if (operation === undefined) return;
        this.validate(operation.post.requestBody.content['application/json'].schema, event, `the event ${event.type}`);
    }
}

/** The description of the compact form: without the members that only the full form has. */
export function compacted(document) {
    return JSON.parse(JSON.stringify(document), (_, value) => {
        if (value?.type !== 'object' || value.properties === undefined || value.required === undefined) return value;
        const form = (name) => value.properties[name]?.['x-compact'];
        return {
            ...value, required: value.required.filter((name) => form(name) === undefined),
            properties: Object.fromEntries(Object.entries(value.properties).filter(([name]) => form(name) !== 'absent')),
        };
    });
}

function decodable(path) {
    try {
        return !decodeURIComponent(path).includes('\0');
    } catch {
        return false;
    }
}

/** A message with places to fill in, such as "Unknown chain '<name>'", fits any text in them. */
function checkMessage(examples, body, what) {
    const fits = Object.values(examples).some(({ value }) => {
        const parts = value.error.split(/<\w+>/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
        return value.error_code === body.error_code && new RegExp(`^${parts.join('.*')}$`, 's').test(body.error);
    });
    assert.ok(fits, `${what}: "${body.error}" (${body.error_code}) is not among its messages`);
}

/** References point into the document that the validator knows as "api". */
function rebased(schema) {
    return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"api#/'));
}

/** The schemas without room for further members, where the document does not say that there is some. */
function closed(schemas) {
    return JSON.parse(JSON.stringify(schemas), (_, value) => (
        value?.type === 'object' && value.properties !== undefined && value.additionalProperties === undefined
            ? { ...value, additionalProperties: false } : value));
}
