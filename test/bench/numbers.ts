import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** How a bench is run. */
export interface Extent {
  /** Runs each step once with little data, to check the bench: its numbers mean nothing, and no page is written. */
  small: boolean;
  /** Numbers of records, for benches that measure by size. */
  rows?: number[] | undefined;
}

/** Prints the results, and writes them to docs/benchmarks. */
export async function report(
  { small }: Extent,
  found: { file: string; page: string; printed: string },
): Promise<void> {
  console.log(found.printed);
  const folder = join(import.meta.dirname, '..', '..', 'docs', 'benchmarks');
  if (!small) await writeFile(join(folder, found.file), found.page);
}

/** The middle value; the mean of the two middle ones would not be a measured value. */
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
