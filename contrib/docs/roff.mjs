// Text for pages of the manual, as mandoc likes it.

const WIDTH = 80; // bytes of a line of the source

/** What begins a line, or looks like an escape, would be an order to roff. */
export const escaped = (words) => words.replaceAll('\\', '\\e').replaceAll('-', '\\-').replace(/^([.'])/, '\\&$1');

/** Words in lines that are not too long. */
export function wrapped(words) {
    const lines = [''];
    for (const word of words.trim().split(/ +/)) {
        const longer = `${lines.at(-1)} ${word}`.trimStart();
        if (Buffer.byteLength(longer) <= WIDTH) lines[lines.length - 1] = longer;
        else lines.push(word.replace(/^([.'])/, '\\&$1'));
    }
    return lines.join('\n');
}

/** The line that begins a page. */
export const title = (name, section, about) => `.TH ${escaped(name)} ${section} 2026-11-27 "Agent DeFi Gateway" "${about}"`;
