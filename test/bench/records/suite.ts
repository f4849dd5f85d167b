import type { Services } from '#shared/services.ts';
import type { Line, ListFindings } from '../lines.ts';
import { type Extent, report } from '../numbers.ts';
import { inService, MINUTE, say } from '../service.ts';
import { type Measured, repeat, sample } from '../threads/measure.ts';
import {
  countCases,
  deepCase,
  depths,
  hardCases,
  type Place,
  pageCases,
  placeOf,
  type RecordCase,
} from './cases.ts';
import { missed, page, tables } from './page.ts';
import { givenRecords } from './world.ts';

/** Everything that is measured, at every size. */

const RUNS = 20;
/** Of what may take seconds. */
const FEW = 5;

async function measurePlace(services: Services, place: Place, small: boolean) {
  let minutes = 0;
  // Everything has minutes of its own, within the rate limits.
  const next = (name: string) => {
    const time = place.world.now + ++minutes * MINUTE;
    services.clock = () => new Date(time);
    say(`${place.world.rows} contacts: ${name}`);
  };
  const measure = async (cases: RecordCase[], runs: number): Promise<Measured[]> => {
    const found: Measured[] = [];
    for (const { name, ask } of cases) {
      next(name);
      found.push(await repeat(small ? 1 : runs, () => sample(services.table, true, () => ask(place))));
    }
    return found;
  };
  const deep: RecordCase[] = [];
  for (const depth of depths.filter((each) => each < place.world.rows)) {
    deep.push(await deepCase(place, depth, () => next('walking')));
  }
  return {
    pages: await measure(pageCases, RUNS),
    hard: await measure(hardCases, FEW),
    depths: await measure(deep, RUNS),
    counts: await measure(countCases, FEW),
  };
}

type AtSize = Awaited<ReturnType<typeof measurePlace>>;

function gather(measured: AtSize[]): Pick<ListFindings, keyof AtSize> {
  const lines = (part: keyof AtSize, names: string[]): Line[] =>
    names
      .map((name, i) => ({ name, sizes: measured.flatMap((size) => size[part][i] ?? []) }))
      .filter(({ sizes }) => sizes.length > 0);
  const namesOf = (cases: RecordCase[]) => cases.map(({ name }) => name);
  return {
    pages: lines('pages', namesOf(pageCases)),
    hard: lines('hard', namesOf(hardCases)),
    depths: lines(
      'depths',
      depths.map((depth) => `after ${depth.toLocaleString('en')} contacts`),
    ),
    counts: lines('counts', namesOf(countCases)),
  };
}

export function measureRecords(rows: number[], extent: Extent): Promise<void> {
  return inService('records', async (services, url) => {
    const seeded: ListFindings['seeded'] = [];
    const measured: AtSize[] = [];
    for (const count of rows) {
      const start = performance.now();
      const progress = (done: number) => say(`${done} of ${count} contacts written`);
      const world = await givenRecords(services.table, { rows: count, now: services.clock(), progress });
      seeded.push({ seconds: (performance.now() - start) / 1_000, items: world.items });
      measured.push(await measurePlace(services, placeOf(url, world), extent.small));
    }
    say('');
    const findings: ListFindings = { rows, seeded, runs: extent.small ? 1 : RUNS, ...gather(measured) };
    const over = missed(findings).map((each) => `over budget: ${each}`);
    const printed = [tables(findings), ...over].join('\n');
    await report(extent, { file: 'records.md', page: page(findings), printed });
  });
}
