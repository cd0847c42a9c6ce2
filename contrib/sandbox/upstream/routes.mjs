// Which request is answered by what.

import { Refusal } from './refusal.mjs';

/** Routes of rows [method, path, handler, level]: `:name` in a path stands for a part without a slash. */
export const routesOf = (rows) => rows.map(([method, path, handler, level]) => ({
    method, handler, level, pattern: new RegExp(`^${path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
}));

/** The route of a request, and the request with the named parts of its path. */
export function routed(routes, call) {
    for (const route of routes) {
        const found = route.method === call.method && route.pattern.exec(call.path);
        if (found) return { ...route, call: { ...call, ...found.groups } };
    }
    throw new Refusal(404, 'not found');
}
