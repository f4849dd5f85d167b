import type { Table } from '#shared/table/table.ts';
import { type Cost, measureTable, splitCost } from '../../support/meter.ts';

/** The cost of one kind of request, measured many times. */

export interface Measured {
  rows: number;
  /** Sequential round trips after authentication, the most of all runs. */
  depth: number;
  read_units: number;
  write_units: number;
  /** Requests that write, and items that they write. */
  write_requests: number;
  writes: number;
  p50: number;
  p95: number;
}

export interface Sample {
  rows: number;
  cost: Cost;
  milliseconds: number;
}

/** `authenticated`: the first round trips are those of authentication, and are left out. */
export async function sample(
  table: Table,
  authenticated: boolean,
  work: () => Promise<number>,
): Promise<Sample> {
  let rows = 0;
  let milliseconds = 0;
  const cost = await measureTable(
    table,
    async () => {
      const start = performance.now();
      rows = await work();
      milliseconds = performance.now() - start;
    },
    0,
  );
  return { rows, cost: splitCost(cost, authenticated ? 'read' : 'public').operation, milliseconds };
}

function quantile(values: number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(part * sorted.length) - 1] ?? Number.NaN;
}

export function summarize(samples: Sample[]): Measured {
  const all = (read: (sample: Sample) => number) => samples.map(read);
  const middle = (read: (sample: Sample) => number) => quantile(all(read), 0.5);
  return {
    rows: middle(({ rows }) => rows),
    depth: Math.max(...all(({ cost }) => cost.depth)),
    read_units: middle(({ cost }) => cost.read_units),
    write_units: middle(({ cost }) => cost.write_units),
    write_requests: Math.max(...all(({ cost }) => cost.calls.filter(({ writes }) => writes > 0).length)),
    writes: Math.max(...all(({ cost }) => cost.writes)),
    p50: middle(({ milliseconds }) => milliseconds),
    p95: quantile(
      all(({ milliseconds }) => milliseconds),
      0.95,
    ),
  };
}

export async function repeat(runs: number, once: (run: number) => Promise<Sample>): Promise<Measured> {
  const samples: Sample[] = [];
  // The first call warms up connections and the compiler.
  for (let run = 0; run <= runs; run++) {
    const taken = await once(run);
    if (run > 0) samples.push(taken);
  }
  return summarize(samples);
}
