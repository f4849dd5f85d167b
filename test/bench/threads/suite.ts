import { contextOf } from '#shared/context.ts';
import type { Services } from '#shared/services.ts';
import type { Line } from '../lines.ts';
import { type Extent, report } from '../numbers.ts';
import { inService, MINUTE, type Place as Served, say } from '../service.ts';
import { audiences, measureFanOut } from './fan-out.ts';
import { hardCases, type ListCase, listCases, type Place, placeOf } from './lists.ts';
import { type Measured, repeat, sample } from './measure.ts';
import {
  changes,
  countCases,
  depthCase,
  depths,
  measureAccess,
  measureChange,
  otherCases,
} from './operations.ts';
import { type Findings, lineOf, missed, page, tables } from './page.ts';
import { givenThreads } from './world.ts';

/** Everything that is measured, at every size. */

interface Effort {
  runs: number;
  /** The runs of what may take seconds. */
  few: number;
  /** The arrivals of a message that many users see. */
  replies: number;
  audiences: readonly number[];
}

const FULL: Effort = { runs: 20, few: 5, replies: 3, audiences };
const SMALL: Effort = { runs: 1, few: 1, replies: 1, audiences: [1, 10] };

async function measurePlace(services: Services, place: Place, now: Date, { runs, few }: Effort) {
  const { table } = services;
  let minutes = 0;
  // Everything has minutes of its own, within the rate limits.
  const next = (name: string) => {
    const time = now.getTime() + ++minutes * MINUTE;
    services.clock = () => new Date(time);
    say(`${place.world.rows} threads: ${name}`);
  };
  const measureCases = async (cases: ListCase[], times: number) => {
    const found: Measured[] = [];
    for (const { name, ask, stored } of cases) {
      next(name);
      found.push(await repeat(times, () => sample(table, !stored, () => ask(place))));
    }
    return found;
  };
  const pages = await measureCases(listCases, runs);
  const hard = await measureCases(hardCases, few);
  const deep: ListCase[] = [];
  for (const depth of depths) deep.push(await depthCase(place, depth));
  const found = {
    pages,
    hard,
    depths: await measureCases(deep, runs),
    counts: await measureCases(countCases, few),
    others: await measureCases(otherCases, runs),
    changes: [] as Measured[],
  };
  for (const name of Object.keys(changes)) {
    next(name);
    found.changes.push(await measureChange(place, name, runs));
  }
  next('access');
  return { ...found, access: [await measureAccess(contextOf(services, {}), place)] };
}

type AtSize = Awaited<ReturnType<typeof measurePlace>>;

/** Grouped by measurement instead of by size. */
function gather(rows: number[], measured: AtSize[]): Pick<Findings, keyof AtSize> {
  const at = (part: keyof AtSize, i: number) => measured.map((size) => size[part][i] as Measured);
  const lines = (part: keyof AtSize, cases: ListCase[]): Line[] =>
    cases.map((each, i) => lineOf(each, at(part, i)));
  return {
    pages: lines('pages', listCases),
    hard: lines('hard', hardCases),
    depths: depths
      .map((depth, i) => ({
        name: `after ${depth.toLocaleString('en')} threads`,
        sizes: at('depths', i).filter((_, size) => (rows[size] as number) > depth),
      }))
      .filter(({ sizes }) => sizes.length > 0),
    counts: lines('counts', countCases),
    others: lines('others', otherCases),
    changes: Object.keys(changes).map((name, i) => ({ name, sizes: at('changes', i) })),
    access: { name: 'a hundred threads', sizes: at('access', 0) },
  };
}

async function seed(services: Services, { url, filling, filled }: Served, rows: number[], now: Date) {
  const seeded: Findings['seeded'] = [];
  const places: Place[] = [];
  for (const count of rows) {
    const start = performance.now();
    const progress = (done: number) => say(`${done} of ${count} threads written`);
    const world = await givenThreads(filling, { rows: count, now, progress });
    seeded.push({ seconds: (performance.now() - start) / 1_000, items: world.items });
    places.push(placeOf(services.table, url, world));
  }
  await filled();
  return { seeded, places };
}

async function measureAll(
  services: Services,
  served: Served,
  rows: number[],
  effort: Effort,
): Promise<Findings> {
  const { table } = services;
  const now = services.clock();
  const fanOut: Findings['fanOut'] = [];
  for (const size of effort.audiences) {
    say(`a message for ${size} users`);
    fanOut.push({ size, ...(await measureFanOut(table, size, now, effort.replies)) });
  }
  const { seeded, places } = await seed(services, served, rows, now);
  const measured: AtSize[] = [];
  for (const place of places) measured.push(await measurePlace(services, place, now, effort));
  say('');
  return { rows, seeded, runs: effort.runs, fanOut, ...gather(rows, measured) };
}

export function measureThreads(rows: number[], extent: Extent): Promise<void> {
  return inService('threads', async (services, served) => {
    const findings = await measureAll(services, served, rows, extent.small ? SMALL : FULL);
    const over = missed(findings).map((each) => `over budget: ${each}`);
    const printed = [tables(findings), ...over].join('\n');
    await report(extent, { file: 'threads.md', page: page(findings), printed });
  });
}
