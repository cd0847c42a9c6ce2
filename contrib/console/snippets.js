// The same call for a terminal, in JavaScript and in Python, each with nothing but what comes with it. The key stays a
// variable: what is copied can be shown around.

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const pythonic = (value) => JSON.stringify(value, null, 4).replaceAll(/\b(true|false|null)\b(?=[,\n\]}]|$)/g, (word) => ({ true: 'True', false: 'False', null: 'None' })[word]);

/** { method, url, key: whether one is sent, headers: { name: value }, body: an object or undefined } */
export const curl = ({ method, url, key, headers, body }) => [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(String(url))}`,
    key && '-H "Authorization: Bearer $KEY"',
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    body && "-H 'Content-Type: application/json'",
    body && `-d ${quoted(JSON.stringify(body))}`,
].filter(Boolean).join(' \\\n  ');

export function javascript({ method, url, key, headers, body }) {
    const all = [
        key && '    Authorization: `Bearer ${process.env.KEY}`,',
        ...Object.entries(headers).map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`),
        body && "    'Content-Type': 'application/json',",
    ].filter(Boolean);
    return [
        `const response = await fetch(${JSON.stringify(String(url))}, {`,
        method !== 'GET' && `  method: '${method}',`,
        all.length > 0 && `  headers: {\n${all.join('\n')}\n  },`,
        body && `  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')}),`,
        '});',
        method === 'DELETE' ? 'console.log(response.status);' : 'console.log(response.status, await response.json());',
    ].filter(Boolean).join('\n');
}

export function python({ method, url, key, headers, body }) {
    const all = [
        key && '    "Authorization": f"Bearer {os.environ[\'KEY\']}",',
        ...Object.entries(headers).map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`),
        body && '    "Content-Type": "application/json",',
    ].filter(Boolean);
    return [
        `import ${['json', key && 'os', 'urllib.request'].filter(Boolean).join(', ')}`,
        '',
        body && `body = ${pythonic(body)}`,
        `request = urllib.request.Request(${JSON.stringify(String(url))}, method="${method}",`,
        body && '    data=json.dumps(body).encode(),',
        `    headers={${all.length > 0 ? `\n${all.map((line) => `    ${line}`).join('\n')}\n    ` : ''}})`,
        'with urllib.request.urlopen(request) as response:',
        method === 'DELETE' ? '    print(response.status)' : '    print(response.status, json.load(response))',
    ].filter((line) => typeof line === 'string').join('\n');
}
