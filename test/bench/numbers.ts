/** The middle value; the mean of both middle ones would be a value that nobody measured. */
export function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;
}

/** Where the numbers come from: they compare within one run, not between machines. */
export function machine(): string {
  return `Node ${process.versions.node} on ${process.platform} ${process.arch}`;
}

export function markdownTable(head: string[], align: string, rows: (string | number)[][]): string {
  const rule = [...align].map((each) => (each === 'r' ? '---:' : '---'));
  return [head, rule, ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
