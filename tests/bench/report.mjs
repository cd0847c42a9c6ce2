// Medians and tables.

export function median(values) {
    const sorted = [...values].sort((a, b) => a - b);
    const middle = sorted.length >> 1;
    return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Lines of cells: the first column flush left, the others flush right. */
export function table(title, lines) {
    const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
    const shown = lines.map((line) => line.map((cell, column) =>
        (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join('  '));
    return [title, ...shown.map((line) => `  ${line}`)].join('\n');
}

/** What was to be reached, and what was, of figures.mjs's judged(). */
export function reportGoals(rows) {
    const lines = rows.map(({ goal, figure, met }) => [
        goal.what, goal.atLeast !== undefined ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`, shown(figure.median),
        `${shown(figure.min)}..${shown(figure.max)}`, met ? 'met' : 'NOT MET',
    ]);
    return table('Goals', [['', 'goal', 'figure', 'of rounds', ''], ...lines]);
}

/** Three digits that count. */
export function shown(value) {
    if (value === 0) return '0';
    if (Math.abs(value) >= 100) return value.toFixed(0);
    return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}
