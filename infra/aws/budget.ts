import type { Metafile } from 'esbuild';
import { type Operation, operationFile } from '#shared/api/catalogue.ts';
import type { Kinds, Library } from '#shared/uses/kind.ts';
import { kinds, workers } from '#shared/uses/kinds.ts';
import { entriesOf, entryName, workerFile } from './entries.ts';

/** The maximum size of a bundle, and the libraries that it may contain. */

/** Bytes, minified, including the table, validation, logs and metrics that every function has. */
export const BUDGET = 526_000;

interface Allowance extends Library {
  /** Only functions that use one of these kinds may contain it; without kinds, any function. */
  uses?: string[];
}

/** Libraries that any bundle may contain. */
const common: Record<string, Library> = {
  'sanitize-html': { bytes: 230_000, reason: 'cleans HTML: a whole HTML parser with its tables' },
  'postal-mime': { bytes: 100_000, reason: 'reads mail: MIME, character sets, addresses' },
  yauzl: { bytes: 30_000, reason: 'reads mail archives' },
  'libphonenumber-js': { bytes: 135_000, reason: 'compares phone numbers: the formats of all countries' },
  'csv-parse': { bytes: 40_000, reason: 'reads tables' },
  'csv-stringify': { bytes: 20_000, reason: 'writes tables' },
  'ical.js': { bytes: 100_000, reason: 'reads and writes vCards and calendars' },
  tldts: { bytes: 140_000, reason: 'tells the registered domain of a host: the public suffix list' },
  'rrule-temporal': { bytes: 190_000, reason: 'tells the days of a series of events' },
  'temporal-polyfill': { bytes: 70_000, reason: 'computes with time zones' },
};

/** The common libraries, and those of these kinds of uses. */
export function allowancesOf(known: Kinds): Record<string, Allowance> {
  const ofKinds: Record<string, Allowance> = {};
  for (const [use, { libraries = {} }] of Object.entries(known))
    for (const [name, library] of Object.entries(libraries))
      ofKinds[name] = { ...library, uses: [...(ofKinds[name]?.uses ?? []), use] };
  return { ...ofKinds, ...common };
}

export interface BundleSize {
  entry: string;
  bytes: number;
  budget: number;
  /** Those of the libraries above. */
  libraries: string[];
  /** Problems, in words. */
  problems: string[];
}

const PACKAGE = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//;

function librariesOf(
  inputs: Record<string, { bytesInOutput: number }>,
  allowances: Record<string, Allowance>,
): string[] {
  const names = Object.entries(inputs)
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([file]) => PACKAGE.exec(file)?.[1] ?? '');
  return Object.keys(allowances).filter((name) => names.includes(name));
}

function usesByEntry(operations: Operation[]): Map<string, readonly string[]> {
  const uses = new Map<string, readonly string[]>();
  for (const [name, worker] of Object.entries(workers)) uses.set(entryName(workerFile(name)), worker.uses);
  for (const operation of operations)
    uses.set(entryName(operationFile(operation)), operation.definition.uses);
  return uses;
}

/** Largest first. `metafile` is the result of `bundle`. */
export function measureBundles(
  operations: Operation[],
  metafile: Metafile,
  known: Kinds = kinds,
): BundleSize[] {
  const allowances = allowancesOf(known);
  const uses = usesByEntry(operations);
  const sizes = entriesOf(operations).map(({ name }): BundleSize => {
    const output = Object.entries(metafile.outputs).find(([file]) => file.endsWith(`/${name}/index.js`))?.[1];
    if (!output) throw new Error(`There is no bundle of ${name}`);
    const libraries = librariesOf(output.inputs, allowances);
    const budget = libraries.reduce((sum, library) => sum + (allowances[library]?.bytes ?? 0), BUDGET);
    const strange = libraries.filter((library) => {
      const kinds = allowances[library]?.uses;
      return kinds && !uses.get(name)?.some((used) => kinds.includes(used.split(':')[0] as string));
    });
    const problems = strange.map((library) => `holds ${library}, which its \`uses\` do not need`);
    if (output.bytes > budget) problems.push(`${output.bytes} bytes are more than ${budget}`);
    return { entry: name, bytes: output.bytes, budget, libraries, problems };
  });
  return sizes.sort((a, b) => b.bytes - a.bytes);
}
